const MOST_WORDS = 8;

/**
 * An address that opens a page at an element: by its text, which browsers scroll to (URL Fragment Text Directives), else by
 * its id; the plain address where it has neither.
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

/** Cut at the first entity: the text before it is enough. */
function textOf(html: string): string {
  const [text = ""] = html
    .replace(/<[^>]*(>|$)/g, " ")
    .replace(/\s+/g, " ")
    .split("&");
  return text.trim();
}

/** The hyphen has a special meaning in text fragments. */
const encodeFragment = (text: string) => encodeURIComponent(text.toWellFormed()).replaceAll("-", "%2D");
