/**
 * Value of a PDF file. Names ("/Type"), numbers, strings ("(text)", "<FEFF…>"), booleans and null stay in their
 * source form.
 */
export type PdfValue = string | Ref | PdfValue[] | Dict;
export type Dict = Map<string, PdfValue>;

/** A reference to an object of the file. */
export class Ref {
  constructor(readonly id: number) {}
}

const SPACE = "[\\0\\t\\n\\f\\r ]";
const REGULAR = "[^\\0\\t\\n\\f\\r ()<>[\\]{}/%]";

/** Groups: bracket, string in digits, number of a reference, name, begin of a string, other word. */
const TOKEN = new RegExp(
  `(?:${SPACE}|%[^\\r\\n]*)*(?:(<<|>>|\\[|\\])|(<[0-9A-Fa-f\\0\\t\\n\\f\\r ]*>)|(\\d+)${SPACE}+0${SPACE}+R(?!${REGULAR})|(/${REGULAR}*)|(\\()|(${REGULAR}+))`,
  "y",
);

interface Token {
  /** Source text; for a reference, its number. */
  text: string;
  kind: "bracket" | "reference" | "value" | "word";
  start: number;
  end: number;
}

/** Token at a position of a file or a content stream; null at the end. @throws for invalid source */
export function tokenAt(source: string, position: number): Token | null {
  TOKEN.lastIndex = position;
  const match = TOKEN.exec(source);
  if (!match) {
    if (/[^\0\t\n\f\r ]/.test(source.slice(position, position + 200))) throw new Error(`not a PDF token at ${position}`);
    return null;
  }
  const [, bracket, digits, reference, name, string, word] = match;
  const end = TOKEN.lastIndex;
  const token = (kind: Token["kind"], text: string): Token => ({ kind, text, start: end - text.length, end });
  if (bracket) return token("bracket", bracket);
  if (reference) return { ...token("reference", reference), start: match.index };
  if (string) {
    const last = endOfString(source, end);
    return { kind: "value", text: source.slice(end - 1, last), start: end - 1, end: last };
  }
  if (word) return token(/^[A-Za-z'"]/.test(word) && !/^(true|false|null)$/.test(word) ? "word" : "value", word);
  return token("value", digits ?? name ?? "");
}

/** End of a string, which may contain pairs of brackets. */
function endOfString(source: string, begin: number): number {
  let depth = 1;
  for (let at = begin; at < source.length; at += 1) {
    const character = source[at];
    if (character === "\\") at += 1;
    else if (character === "(") depth += 1;
    else if (character === ")" && (depth -= 1) === 0) return at + 1;
  }
  throw new Error("a PDF string has no end");
}

/** Value at a position, and its end. @throws if there is none */
export function parseValue(source: string, position: number): { value: PdfValue; end: number } {
  const token = tokenAt(source, position);
  if (!token || token.kind === "word") throw new Error(`no PDF value at ${position}`);
  if (token.kind === "reference") return { value: new Ref(Number(token.text)), end: token.end };
  if (token.kind === "value") return { value: token.text, end: token.end };
  const items: PdfValue[] = [];
  const closing = token.text === "<<" ? ">>" : "]";
  let at = token.end;
  for (;;) {
    const next = tokenAt(source, at);
    if (next?.kind === "bracket" && next.text === closing) {
      return { value: closing === "]" ? items : dictOf(items), end: next.end };
    }
    const { value, end } = parseValue(source, at);
    items.push(value);
    at = end;
  }
}

function dictOf(items: PdfValue[]): Dict {
  const dict: Dict = new Map();
  for (let index = 0; index + 1 < items.length; index += 2) {
    const key = items[index];
    if (typeof key !== "string" || !key.startsWith("/")) throw new Error("a PDF dictionary has a key that is no name");
    dict.set(key.slice(1), items[index + 1] ?? "null");
  }
  return dict;
}

export function writeValue(value: PdfValue): string {
  if (typeof value === "string") return value;
  if (value instanceof Ref) return `${value.id} 0 R`;
  if (Array.isArray(value)) return `[${value.map(writeValue).join(" ")}]`;
  return `<<${[...value].map(([key, entry]) => `/${key} ${writeValue(entry)}`).join("\n")}>>`;
}

export const dict = (entries: Record<string, PdfValue>): Dict => new Map(Object.entries(entries));

export const isDict = (value: PdfValue | undefined): value is Dict => value instanceof Map;

/** String for people, in UTF-16. */
export function textString(text: string): string {
  return `<FEFF${Buffer.from(text.toWellFormed(), "utf16le").swap16().toString("hex").toUpperCase()}>`;
}

/** Text of a string for people; null for other values. */
export function readText(value: PdfValue | undefined): string | null {
  const bytes = bytesOf(value);
  if (bytes === null) return null;
  return bytes[0] === 0xfe && bytes[1] === 0xff
    ? bytes.subarray(2, bytes.length - (bytes.length % 2)).swap16().toString("utf16le")
    : bytes.toString("latin1");
}

function bytesOf(value: PdfValue | undefined): Buffer | null {
  if (typeof value !== "string") return null;
  if (value.startsWith("<")) return Buffer.from(value.replace(/[^0-9A-Fa-f]/g, ""), "hex");
  if (!value.startsWith("(")) return null;
  const plain = value.slice(1, -1).replace(/\\(\r\n|[0-7]{1,3}|[^])/g, (_, escaped: string) => {
    if (/^[0-7]/.test(escaped)) return String.fromCharCode(parseInt(escaped, 8) % 256);
    return ESCAPES[escaped] ?? escaped;
  });
  return Buffer.from(plain, "latin1");
}

const ESCAPES: Record<string, string> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f", "\n": "", "\r": "", "\r\n": "" };

/** Name without its slash: "/A#20B" is "A B"; "" for other values. */
export function readName(value: PdfValue | undefined): string {
  if (typeof value !== "string" || !value.startsWith("/")) return "";
  const bytes = value.slice(1).replace(/#([0-9A-Fa-f]{2})/g, (_, digits: string) => String.fromCharCode(parseInt(digits, 16)));
  return Buffer.from(bytes, "latin1").toString("utf8");
}
