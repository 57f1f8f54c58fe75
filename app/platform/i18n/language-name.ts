/** Name of a language in the reader's language. */
export const languageName = (language: string, reader: string): string =>
  new Intl.DisplayNames(reader, { type: "language" }).of(language) ?? language;
