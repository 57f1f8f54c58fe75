/** Maximum length of a metadata value at the provider. */
const LONGEST_VALUE = 500;
/** Maximum number of keys `urls`, `urls_2` …; Stripe allows 50 in all. */
const MOST_KEYS = 40;
const KEY = /^urls(?:_(\d+))?$/;

/** Metadata that links an object at the provider to our order and its URL; to its origin if the URL is too long. */
export function orderMetadata(order: string, url: string | null): Record<string, string> {
  return { order, ...(url ? { url: inShort(url) } : {}) };
}

/** Shortens a URL that is too long to its origin, which is enough. */
const inShort = (url: string) => (url.length > LONGEST_VALUE ? new URL(url).origin : url);

/**
 * List of URLs in the provider's metadata: comma-separated in `urls`, continued in `urls_2`, `urls_3` … Keys of an earlier,
 * longer list are emptied, which removes them.
 * @param before existing keys
 */
export function toMetadata(urls: string[], before: string[] = []): Record<string, string> {
  const values: string[] = [];
  for (const each of urls) {
    // The comma is the separator.
    const url = inShort(each.replaceAll(",", "%2C"));
    const last = values.at(-1);
    if (last !== undefined && last.length + 1 + url.length <= LONGEST_VALUE) values[values.length - 1] = `${last},${url}`;
    else if (url.length <= LONGEST_VALUE && values.length < MOST_KEYS) values.push(url);
  }
  const metadata: Record<string, string> = { urls: "" };
  for (const key of before) if (KEY.test(key)) metadata[key] = "";
  for (const [index, value] of values.entries()) metadata[keyAt(index)] = value;
  return metadata;
}

export function fromMetadata(metadata: Record<string, string>): string[] {
  return Object.keys(metadata)
    .filter((key) => KEY.test(key))
    .sort((one, other) => partNumber(one) - partNumber(other))
    .flatMap((key) => (metadata[key] ?? "").split(","))
    .map((url) => url.trim())
    .filter(Boolean);
}

const keyAt = (index: number) => (index === 0 ? "urls" : `urls_${index + 1}`);
const partNumber = (key: string) => Number(KEY.exec(key)?.[1] ?? 1);
