const names = new Intl.DisplayNames(["en"], { type: "language", fallback: "none" });

/** A page's own `lang`, if it is one that software understands; for all others "", so that nobody passes it on. */
export function knownLanguage(tag: string): string {
  try {
    const [canonical = ""] = Intl.getCanonicalLocales(tag);
    return canonical && names.of(new Intl.Locale(canonical).language) ? canonical : "";
  } catch {
    return "";
  }
}
