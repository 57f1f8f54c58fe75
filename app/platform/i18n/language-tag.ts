const names = new Intl.DisplayNames(["en"], { type: "language", fallback: "none" });

/** A page's own `lang`, if software understands it; otherwise "", so that it is not passed on. */
export function knownLanguage(tag: string): string {
  try {
    const [canonical = ""] = Intl.getCanonicalLocales(tag);
    return canonical && names.of(new Intl.Locale(canonical).language) ? canonical : "";
  } catch {
    return "";
  }
}
