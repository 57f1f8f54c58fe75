const MOST_WORDS = 8;

/**
 * Address of a page that opens at an element: by its text (URL Fragment Text Directives), otherwise by its id; the plain
 * address if it has neither.
 * @param html opening markup and text of the element, perhaps cut
 */
export function textFragment(url: string, html: string): string {
  const plain = url.replace(/#.*$/, "");
  const words = textOf(html).split(" ").filter(Boolean);
  // A single word occurs more than once on most pages.
  if (words.length > 1) return `${plain}#:~:text=${encodeFragment(words.slice(0, MOST_WORDS).join(" "))}`;
  const id = /^<[^>]*?\sid="([^"<>\s]+)"/.exec(html)?.[1];
  return id ? `${plain}#${encodeURIComponent(id)}` : plain;
}

/** Text of an element up to the first entity: that is enough. */
function textOf(html: string): string {
  const [text = ""] = html
    .replace(/<[^>]*(>|$)/g, " ")
    .replace(/\s+/g, " ")
    .split("&");
  return text.trim();
}

/** The hyphen has a special meaning in text fragments. */
const encodeFragment = (text: string) => encodeURIComponent(text.toWellFormed()).replaceAll("-", "%2D");
