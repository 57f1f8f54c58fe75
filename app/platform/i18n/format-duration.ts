/** Example: `5 Minuten`. @param locale locale for `Intl` */
export function formatMinutes(minutes: number, locale: string): string {
  return new Intl.NumberFormat(locale, { style: "unit", unit: "minute", unitDisplay: "long" }).format(minutes);
}

/** Example: `1,5 Sekunden`. @param locale locale for `Intl` */
export function formatSeconds(seconds: number, locale: string, digits: 0 | 1): string {
  return new Intl.NumberFormat(locale, { style: "unit", unit: "second", unitDisplay: "long", maximumFractionDigits: digits }).format(seconds);
}
