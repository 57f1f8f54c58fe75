/**
 * The first of our languages that a browser asks for, by `Accept-Language` (RFC 9110, 12.5.4); null when it asks for none.
 * A region does not matter: `en-GB` is served by `en`.
 */
export function preferredLanguage<Language extends string>(
  header: string | null,
  supported: readonly Language[],
): Language | null {
  const wishes = (header ?? "")
    .split(",")
    .map((part) => {
      const [range = "", ...parameters] = part.trim().toLowerCase().split(";");
      const quality = parameters.map((parameter) => /^\s*q=([\d.]+)\s*$/.exec(parameter)?.[1]).find(Boolean);
      return { language: range.trim().split("-")[0], quality: quality === undefined ? 1 : Number(quality) };
    })
    .filter(({ quality }) => quality > 0)
    // Stable sort: among equal wishes, the first one counts.
    .sort((one, other) => other.quality - one.quality);
  for (const { language } of wishes) {
    const served = supported.find((each) => each === language);
    if (served) return served;
  }
  return null;
}
