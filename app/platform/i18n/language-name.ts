/** Name of a language for readers of another one. */
export const languageName = (language: string, reader: string): string =>
  new Intl.DisplayNames(reader, { type: "language" }).of(language) ?? language;
