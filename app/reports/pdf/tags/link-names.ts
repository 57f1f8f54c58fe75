import { Parser } from "htmlparser2";

/** Descriptions of link targets, in the order of the document. */
export interface LinkNames {
  /** Name of the next link with a target; the last one again if there are no more; the target itself if it is unknown. */
  next(target: string): string;
}

/** Reads the names of a document's links: each from its `title`, otherwise from its text. */
export function readLinkNames(html: string): LinkNames {
  const names = new Map<string, string[]>();
  let open: { target: string; title: string; text: string } | null = null;
  const parser = new Parser({
    onopentag(tag, { href, title = "" }) {
      if (tag === "a" && href !== undefined) open = { target: normalized(href), title, text: "" };
    },
    ontext(text) {
      if (open) open.text += text;
    },
    onclosetag(tag) {
      if (tag !== "a" || !open) return;
      const { target, title, text } = open;
      const name = (title || text).replace(/\s+/g, " ").trim();
      names.set(target, [...(names.get(target) ?? []), name || target]);
      open = null;
    },
  });
  parser.end(html);
  return {
    next(target) {
      const left = names.get(normalized(target)) ?? [];
      return (left.length > 1 ? left.shift() : left[0]) ?? target;
    },
  };
}

/** Address in the form of browsers; targets in the document begin with "#". */
function normalized(target: string): string {
  return target.startsWith("#") || !URL.canParse(target) ? target : new URL(target).href;
}
