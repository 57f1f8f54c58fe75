import { inflateSync } from "node:zlib";

/** Text of a PDF printed by Chromium, in page order; without running heads and white space. */
export function pdfText(file: Buffer): string {
  const source = file.toString("latin1");
  const root = /\/Type \/Catalog[^]*?\/Pages (\d+) 0 R/.exec(source)?.[1] ?? "";
  return pagesOf(source, root).map((page) => textOf(source, page)).join("");
}

/** The page objects below a node of the page tree. */
function pagesOf(source: string, id: string): string[] {
  const node = objectOf(source, id);
  const [, kids] = /\/Kids \[([^\]]*)\]/.exec(node) ?? [];
  if (kids === undefined) return [node];
  return [...kids.matchAll(/(\d+) 0 R/g)].flatMap(([, kid = ""]) => pagesOf(source, kid));
}

function textOf(source: string, page: string): string {
  const content = streamOf(source, /\/Contents (\d+) 0 R/.exec(page)?.[1] ?? "");
  const [, named = ""] = /\/Font <<([^>]*)>>/.exec(page) ?? [];
  const fonts = new Map([...named.matchAll(/\/(\w+) (\d+) 0 R/g)].map(([, name = "", id = ""]) => [name, charactersOf(source, id)]));
  const marks: boolean[] = [];
  let font = new Map<string, string>();
  let text = "";
  for (const [token, name, begins, , ends, glyphs = ""] of content.matchAll(TOKENS)) {
    if (name) font = fonts.get(name) ?? font;
    else if (begins) marks.push(begins.startsWith("/Artifact"));
    else if (ends) marks.pop();
    else if (token && !marks.includes(true)) text += (glyphs.match(/.{4}/g) ?? []).map((glyph) => font.get(glyph) ?? "").join("");
  }
  return text.replace(/\s/g, "");
}

/** Select font, begin of marked content, its end, show glyphs. */
const TOKENS = /\/(\w+) [\d.]+ Tf|(\/\w+ ?<<(?:[^<>]|<[0-9A-F]*>)*>> ?BDC)|(BMC)|\b(EMC)\b|<([0-9A-F]+)> ?Tj/g;

/** Character for each glyph. */
function charactersOf(source: string, font: string): Map<string, string> {
  const map = streamOf(source, /\/ToUnicode (\d+) 0 R/.exec(objectOf(source, font))?.[1] ?? "");
  const characters = new Map<string, string>();
  for (const [, block = ""] of map.matchAll(/beginbfchar([^]*?)endbfchar/g)) {
    for (const [, glyph = "", text = ""] of block.matchAll(/<(\w+)> <(\w+)>/g)) characters.set(glyph, utf16(text));
  }
  for (const [, block = ""] of map.matchAll(/beginbfrange([^]*?)endbfrange/g)) {
    for (const [, first = "", last = "", text = ""] of block.matchAll(/<(\w+)> <(\w+)> <(\w+)>/g)) {
      const start = parseInt(first, 16);
      for (let glyph = start; glyph <= parseInt(last, 16); glyph += 1) {
        const character = String.fromCodePoint((utf16(text).codePointAt(0) ?? 0) + glyph - start);
        characters.set(glyph.toString(16).toUpperCase().padStart(4, "0"), character);
      }
    }
  }
  return characters;
}

const utf16 = (hex: string) => Buffer.from(hex, "hex").swap16().toString("utf16le");

const objectOf = (source: string, id: string) => new RegExp(`\\n${id} 0 obj\\n([^]*?)endobj`).exec(source)?.[1] ?? "";

function streamOf(source: string, id: string): string {
  const [, content = ""] = /stream\r?\n([^]*?)\nendstream/.exec(objectOf(source, id)) ?? [];
  return content === "" ? "" : inflateSync(Buffer.from(content, "latin1")).toString("latin1");
}
