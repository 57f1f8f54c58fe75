/** Address of W3C's page about a success criterion, built from its name. @param criterion English name, such as `Use of Color` */
export function understandingUrl(criterion: string): string {
  const slug = criterion.replace(/ \(Obsolete.*/, "").toLowerCase().replace(/[^a-z]+/g, "-").replace(/^-|-$/g, "");
  return `https://www.w3.org/WAI/WCAG22/Understanding/${slug}`;
}
