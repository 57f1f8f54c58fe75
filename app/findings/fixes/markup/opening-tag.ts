import type { Piece } from "~/findings/fixes/fix";

/** Attribute as written, with its positions in the markup. */
export interface Attribute {
  /** Name in lower case. */
  name: string;
  /** Value without quotes, with character references as they are; "" if there is none. */
  value: string;
  quote: '"' | "'" | "";
  start: number;
  end: number;
}

export interface OpeningTag {
  /** Name in lower case. */
  name: string;
  nameEnd: number;
  attributes: Attribute[];
  /** Position behind the `>`. */
  end: number;
}

/** Edit: replaces the markup from `start` to `end` by `text`. */
export interface Edit {
  start: number;
  end: number;
  text: string;
}

const TAG_NAME = /<([a-z][^\t\n\f\r />]*)/iy;
const GAP = /[\t\n\f\r /]*/y;
const NAME = /[^\t\n\f\r />=]+/y;
const VALUE = /[\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"]*)"|'([^']*)'|([^\t\n\f\r >"'][^\t\n\f\r >]*))/y;
const EQUALS = /[\t\n\f\r ]*=/y;

/** axe-core's mark for omitted attributes. */
const LEFT_OUT = "...";

/**
 * Parses an opening tag as browsers do. Null if it is incomplete (cut off, shortened by axe-core), or its syntax is so
 * unusual that an edit might have another effect.
 */
export function readOpeningTag(html: string, start = 0): OpeningTag | null {
  const name = matchAt(TAG_NAME, html, start);
  if (!name) return null;
  const nameEnd = start + name[0].length;
  const attributes: Attribute[] = [];
  let at = nameEnd;
  for (;;) {
    at += matchAt(GAP, html, at)?.[0].length ?? 0;
    if (html[at] === ">") return { name: name[1]!.toLowerCase(), nameEnd, attributes, end: at + 1 };
    const attribute = readAttribute(html, at);
    if (!attribute || attribute.name === LEFT_OUT) return null;
    attributes.push(attribute);
    at = attribute.end;
  }
}

function readAttribute(html: string, start: number): Attribute | null {
  const written = matchAt(NAME, html, start)?.[0];
  if (written === undefined) return null;
  const name = written.toLowerCase();
  const nameEnd = start + written.length;
  const match = matchAt(VALUE, html, nameEnd);
  if (!match) return matchAt(EQUALS, html, nameEnd) ? null : { name, value: "", quote: "", start, end: nameEnd };
  const [all, double, single, bare = ""] = match;
  const quote = double !== undefined ? '"' : single !== undefined ? "'" : "";
  return { name, value: double ?? single ?? bare, quote, start, end: nameEnd + all.length };
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** Attribute with that name; the first if there are several, as in browsers. */
export function attributeOf(tag: OpeningTag, name: string): Attribute | undefined {
  return tag.attributes.find((attribute) => attribute.name === name);
}

/** Whether an attribute is missing or empty. */
export function isBlank(attribute: Attribute | undefined): boolean {
  return attribute === undefined || attribute.value.replaceAll("&nbsp;", " ").trim() === "";
}

/** Whether axe-core has shortened the value. */
export function isShortened({ value }: Attribute): boolean {
  return value.endsWith("...");
}

/** Sets an attribute's value (plain text) in its existing quotes; a new attribute goes right behind the tag's name. */
export function setAttribute(tag: OpeningTag, name: string, value: string): Edit {
  const attribute = attributeOf(tag, name);
  if (!attribute) return { start: tag.nameEnd, end: tag.nameEnd, text: ` ${name}="${escaped(value, '"')}"` };
  const { quote, end } = attribute;
  if (quote) {
    const valueEnd = end - 1;
    return { start: valueEnd - attribute.value.length, end: valueEnd, text: escaped(value, quote) };
  }
  const hasValue = attribute.value !== "";
  return { start: end - attribute.value.length, end, text: `${hasValue ? "" : "="}"${escaped(value, '"')}"` };
}

/** Removes an attribute, and the white space before it. */
export function removeAttribute(html: string, { start, end }: Attribute): Edit {
  return { start: html.slice(0, start).trimEnd().length, end, text: "" };
}

function escaped(value: string, quote: '"' | "'"): string {
  return value.replaceAll("&", "&amp;").replaceAll(quote, quote === '"' ? "&quot;" : "&#39;");
}

/** Markup before and after edits, which must not overlap; everything else stays byte-identical. */
export function applyEdits(html: string, edits: Edit[]): { before: Piece[]; after: Piece[] } {
  const before: Piece[] = [];
  const after: Piece[] = [];
  const add = (pieces: Piece[], text: string, changed: boolean) => {
    if (text) pieces.push({ text, changed });
  };
  let at = 0;
  for (const { start, end, text } of [...edits].sort((one, other) => one.start - other.start)) {
    for (const pieces of [before, after]) add(pieces, html.slice(at, start), false);
    add(before, html.slice(start, end), true);
    add(after, text, true);
    at = end;
  }
  for (const pieces of [before, after]) add(pieces, html.slice(at), false);
  return { before, after };
}
