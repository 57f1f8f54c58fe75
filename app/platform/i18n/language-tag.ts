const names = new Intl.DisplayNames(["en"], { type: "language", fallback: "none" });

/** Valid `lang` of a page; "" for an invalid one, so that it is not passed on. */
export function knownLanguage(tag: string): string {
  try {
    const [canonical = ""] = Intl.getCanonicalLocales(tag);
    return canonical && names.of(new Intl.Locale(canonical).language) ? canonical : "";
  } catch {
    return "";
  }
}
