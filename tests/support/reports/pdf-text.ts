import { readPdf, type PdfObjects } from "~/reports/pdf/file/pdf-file";
import { isDict, Ref, type Dict, type PdfValue } from "~/reports/pdf/file/value";

/** Page of a PDF printed by Chromium. */
export interface PdfPage {
  ref: Ref;
  dict: Dict;
  /** Content stream of the page. */
  content: string;
  /** Text by id of marked content; `null`: outside of marked content, `"artifact"`: decoration. */
  texts: Map<number | null | "artifact", string>;
}

/** Text of a PDF printed by Chromium, in page order; without running heads and white space. */
export function pdfText(file: Uint8Array): string {
  const text = pdfPages(readPdf(file)).flatMap(({ texts }) => [...texts].flatMap(([id, text]) => (id === "artifact" || id === null ? [] : [text])));
  return text.join("").replace(/\s/g, "");
}

export function pdfPages(file: PdfObjects): PdfPage[] {
  const catalog = file.dict(file.trailer.get("Root"));
  return pagesBelow(file, catalog.get("Pages")).map((ref) => {
    const dict = file.dict(ref);
    const content = file.stream(dict.get("Contents") as Ref);
    return { ref, dict, content, texts: textsOf(file, dict, content) };
  });
}

/** Pages below a node of the page tree. */
function pagesBelow(file: PdfObjects, node: PdfValue | undefined): Ref[] {
  const kids = file.resolve(file.dict(node).get("Kids"));
  return Array.isArray(kids) ? kids.flatMap((kid) => pagesBelow(file, kid)) : [node as Ref];
}

function textsOf(file: PdfObjects, page: Dict, content: string): PdfPage["texts"] {
  const resources = file.dict(page.get("Resources"));
  const named = file.resolve(resources.get("Font"));
  const fonts = new Map([...(isDict(named) ? named : [])].map(([name, font]) => [name, charactersOf(file, font)]));
  const texts: PdfPage["texts"] = new Map();
  const marks: (number | "artifact")[] = [];
  let font = new Map<string, string>();
  for (const [token, name, begins, simple, ends, glyphs = ""] of content.matchAll(TOKENS)) {
    if (name) font = fonts.get(name) ?? font;
    else if (begins) marks.push(begins.startsWith("/Artifact") ? "artifact" : Number(/\/MCID (\d+)/.exec(begins)?.[1]));
    else if (simple) marks.push("artifact");
    else if (ends) marks.pop();
    else if (token) {
      const mark = marks.at(-1) ?? null;
      texts.set(mark, (texts.get(mark) ?? "") + (glyphs.match(/.{4}/g) ?? []).map((glyph) => font.get(glyph.toLowerCase()) ?? "").join(""));
    }
  }
  return texts;
}

/** Tokens: select font, begin of marked content with or without properties, its end, show glyphs. */
const TOKENS = /\/(\w+) [\d.]+ Tf|(\/\w+ ?<<(?:[^<>]|<[0-9A-F]*>)*>> ?BDC)|(\/\w+ BMC)|\b(EMC)\b|<([0-9A-F]+)> ?Tj/gi;

/** Character for each glyph. */
function charactersOf(file: PdfObjects, font: PdfValue): Map<string, string> {
  const characters = new Map<string, string>();
  const toUnicode = file.dict(font).get("ToUnicode");
  if (!(toUnicode instanceof Ref)) return characters;
  const map = file.stream(toUnicode);
  for (const [, block = ""] of map.matchAll(/beginbfchar([^]*?)endbfchar/g)) {
    for (const [, glyph = "", text = ""] of block.matchAll(/<(\w+)> <(\w+)>/g)) characters.set(glyph.toLowerCase(), utf16(text));
  }
  for (const [, block = ""] of map.matchAll(/beginbfrange([^]*?)endbfrange/g)) {
    for (const [, first = "", last = "", text = ""] of block.matchAll(/<(\w+)> <(\w+)> <(\w+)>/g)) {
      const start = parseInt(first, 16);
      for (let glyph = start; glyph <= parseInt(last, 16); glyph += 1) {
        const character = String.fromCodePoint((utf16(text).codePointAt(0) ?? 0) + glyph - start);
        characters.set(glyph.toString(16).padStart(4, "0"), character);
      }
    }
  }
  return characters;
}

const utf16 = (hex: string) => Buffer.from(hex, "hex").swap16().toString("utf16le");
