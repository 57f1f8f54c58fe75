import { partsOf, type AddressParts } from "~/scan/crawl/page-key";

/**
 * Common template of similar addresses: upper segments as they are, numbers and dates as `#`, names of single items as
 * `*`, and the names of parameters. `/blog/2024/05/some-title` has the template `/blog/#/#/*`.
 * @throws {TypeError} for anything but an absolute address
 */
export function templateOf(url: string): string {
  return templateOfParts(partsOf(url));
}

/** The same for an address already split into parts. */
export function templateOfParts({ segments, parameters }: Pick<AddressParts, "segments" | "parameters">): string {
  const path = segments.map((segment, index) => maskOf(segment, index > 0 && index === segments.length - 1));
  const names = [...new Set(parameters.map(([name]) => name))];
  return `/${path.join("/")}${names.length > 0 ? `?${names.join("&")}` : ""}`;
}

/** At the top and in the middle, a short name is a section of the site; at the end it may be an item. */
function maskOf(segment: string, isItem: boolean): string {
  const [, name = "", extension = ""] = /^(.+?)(\.[a-z]{2,5}\d?)?$/i.exec(segment) ?? [];
  if (NUMBER.test(name)) return `#${extension}`;
  const counted = /^(\D{1,20}?)(-|_|)\d+$/.exec(name);
  if (counted && !/[-_%]/.test(counted[1] ?? "")) return `${counted[1]}${counted[2]}#${extension}`;
  return isItem || isSlug(name) ? `*${extension}` : segment;
}

/** Digits, including separators of dates, times and article numbers. */
const NUMBER = /^\d[\d.,:_-]*$/;

/** Three or more words, encoded text, or a random identifier. */
const isSlug = (name: string) =>
  name.split(/[-_+]|%20/).length > 2 || name.length > 30 || /%[\dA-F]{2}|\d{3}/.test(name);
