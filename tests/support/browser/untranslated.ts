import { parseDocument } from "htmlparser2";

type Node = ReturnType<typeof parseDocument>["children"][number];

/** Elements whose text has no language: code, names, addresses. */
const WITHOUT_LANGUAGE = new Set(["link", "script", "style", "code", "pre", "kbd", "samp", "bdi", "template"]);
/** Code in the values of fields, which have no language. */
const CODE_IN_MARKDOWN = /(`+)[^]*?\1/g;
const TEXT_ATTRIBUTES = ["aria-label", "alt", "title", "placeholder"];

interface Found {
  /** Pieces with letters outside of brackets. */
  texts: string[];
  /** Addresses of links, without fragments. */
  links: string[];
  /** Targets of forms. */
  actions: string[];
}

/** Texts of a page outside of brackets, and its links. */
export function untranslated(html: string, locale: string): Found {
  const lines: string[] = [];
  const links = new Set<string>();
  const actions = new Set<string>();
  let flow = "";
  visit(parseDocument(html).children);
  return { texts: [...lines, flow].flatMap(outsideBrackets), links: [...links], actions: [...actions] };

  function visit(nodes: Node[]): void {
    for (const node of nodes) {
      if (node.type === "text") flow += node.data;
      if (!("attribs" in node)) continue;
      const { name, attribs } = node;
      if (name === "a" && attribs.href !== undefined) links.add(attribs.href.replace(/#.*/, ""));
      if (name === "form" && attribs.method === "post") actions.add(attribs.action ?? "");
      const isForeign = attribs.lang !== undefined && attribs.lang !== locale;
      if (isForeign || attribs.translate === "no" || WITHOUT_LANGUAGE.has(name)) {
        flow += " ";
        continue;
      }
      if (name === "textarea") {
        lines.push(textOf(node.children).replace(CODE_IN_MARKDOWN, " "));
        continue;
      }
      for (const attribute of TEXT_ATTRIBUTES) lines.push(attribs[attribute] ?? "");
      if (name === "meta" && /description|alt$|title$/.test(attribs.name ?? attribs.property ?? "")) lines.push(attribs.content ?? "");
      visit(node.children);
      flow += "\n";
    }
  }
}

const textOf = (nodes: Node[]): string => nodes.map((node) => (node.type === "text" ? node.data : "")).join("");

/** Pieces with letters outside of all brackets. */
export function outsideBrackets(text: string): string[] {
  let depth = 0;
  let outside = "";
  for (const character of text) {
    if (character === "‹") depth += 1;
    if (depth === 0) outside += character;
    else if (depth === 1 && character === "›") outside += "\n";
    if (character === "›") depth -= 1;
  }
  return outside.split("\n").map((line) => line.trim()).filter((line) => /\p{L}{2,}/u.test(line));
}
