import { deflateSync, inflateSync } from "node:zlib";
import { isDict, parseValue, Ref, writeValue, type Dict, type PdfValue } from "./value";

/** Objects of a PDF file from Chromium's PDF writer (Skia): one table of offsets, no compressed objects. */
export interface PdfObjects {
  trailer: Dict;
  /** Object of a reference; other values unchanged. */
  resolve(value: PdfValue | undefined): PdfValue | undefined;
  /** Dictionary of an object, for changes in place. @throws if it is none */
  dict(ref: PdfValue | undefined): Dict;
  /** Inflated data of a stream, one character per byte. @throws for other filters than Flate */
  stream(ref: Ref): string;
  /** Replaces the data of a stream. */
  setStream(ref: Ref, data: string): void;
  add(value: PdfValue, data?: Buffer): Ref;
  write(version: string): Uint8Array<ArrayBuffer>;
}

interface Stored {
  value: PdfValue;
  data: Buffer | null;
}

/** @throws for other kinds of files */
export function readPdf(file: Uint8Array): PdfObjects {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const { offsets, trailer, tableAt } = tableOf(bytes);
  // Each object ends where the next one begins.
  const begins = [...offsets.values(), tableAt].sort((one, other) => one - other);
  const ends = new Map(begins.map((begin, index) => [begin, begins[index + 1] ?? begin]));
  const opened = new Map<number, Stored>();
  let nextId = Math.max(0, ...offsets.keys()) + 1;

  const slice = (id: number) => {
    const begin = offsets.get(id);
    if (begin === undefined) throw new Error(`the PDF has no object ${id}`);
    return bytes.subarray(begin, ends.get(begin));
  };

  function open({ id }: Ref): Stored {
    const known = opened.get(id);
    if (known) return known;
    const stored = parseObject(slice(id));
    opened.set(id, stored);
    return stored;
  }

  const resolve = (value: PdfValue | undefined): PdfValue | undefined => (value instanceof Ref ? open(value).value : value);

  function dictAt(ref: PdfValue | undefined): Dict {
    const value = resolve(ref);
    if (!isDict(value)) throw new Error("a PDF object is no dictionary");
    return value;
  }

  return {
    trailer,
    resolve,
    dict: dictAt,
    stream(ref) {
      const { data } = open(ref);
      const filter = dictAt(ref).get("Filter");
      if (!data || (filter !== undefined && filter !== "/FlateDecode")) throw new Error(`object ${ref.id} of the PDF is no readable stream`);
      return (filter ? inflateSync(data) : data).toString("latin1");
    },
    setStream(ref, text) {
      const data = deflateSync(Buffer.from(text, "latin1"));
      dictAt(ref).set("Filter", "/FlateDecode").set("Length", String(data.length));
      open(ref).data = data;
    },
    add(value, data) {
      const id = nextId++;
      opened.set(id, { value, data: data ?? null });
      return new Ref(id);
    },
    write(version) {
      const parts: Buffer[] = [Buffer.from(`%PDF-${version}\n%\xe2\xe3\xcf\xd3\n`, "latin1")];
      let size = parts[0]?.length ?? 0;
      const table = new Map<number, number>();
      for (const id of [...new Set([...offsets.keys(), ...opened.keys()])].sort((one, other) => one - other)) {
        const stored = opened.get(id);
        const written = stored ? writeObject(id, stored) : slice(id);
        table.set(id, size);
        parts.push(written);
        size += written.length;
      }
      parts.push(Buffer.from(writeTable(table, nextId, trailer, size), "latin1"));
      return Buffer.concat(parts);
    },
  };
}

/** Characters of an object that are read first: dictionaries are short, but streams may be large. */
const HEAD = 65_536;

function parseObject(slice: Buffer): Stored {
  const { source, value, end } = parseHead(slice, HEAD) ?? parseHead(slice, slice.length) ?? {};
  if (source === undefined || value === undefined || end === undefined) throw new Error("an object of the PDF cannot be read");
  STREAM.lastIndex = end;
  if (!STREAM.test(source)) return { value, data: null };
  const length = Number(isDict(value) ? value.get("Length") : NaN);
  if (!Number.isInteger(length)) throw new Error("a stream of the PDF has no plain length");
  return { value, data: slice.subarray(STREAM.lastIndex, STREAM.lastIndex + length) };
}

const STREAM = /\s*stream\r?\n/y;

/** Null if the value does not end within the first characters. */
function parseHead(slice: Buffer, characters: number): { source: string; value: PdfValue; end: number } | null {
  const source = slice.toString("latin1", 0, characters);
  const [head] = /^\s*\d+\s+0\s+obj/.exec(source) ?? [];
  if (!head) throw new Error("an object of the PDF has no head");
  try {
    return { source, ...parseValue(source, head.length) };
  } catch (error) {
    if (characters < slice.length) return null;
    throw error;
  }
}

function writeObject(id: number, { value, data }: Stored): Buffer {
  const head = `${id} 0 obj\n${writeValue(value)}`;
  if (!data) return Buffer.from(`${head}\nendobj\n`, "latin1");
  return Buffer.concat([Buffer.from(`${head} stream\n`, "latin1"), data, Buffer.from("\nendstream\nendobj\n", "latin1")]);
}

/** Byte offsets by object number. */
function tableOf(bytes: Buffer): { offsets: Map<number, number>; trailer: Dict; tableAt: number } {
  const end = bytes.toString("latin1", Math.max(0, bytes.length - 1_024));
  const tableAt = Number(/startxref\s+(\d+)\s+%%EOF\s*$/.exec(end)?.[1] ?? NaN);
  const source = Number.isNaN(tableAt) ? "" : bytes.toString("latin1", tableAt);
  if (!source.startsWith("xref")) throw new Error("the PDF has no plain table of objects");
  const offsets = new Map<number, number>();
  const SECTION = /\s*(\d+) (\d+)\s*[\r\n]+/y;
  SECTION.lastIndex = "xref".length;
  let at = SECTION.lastIndex;
  for (let section = SECTION.exec(source); section; section = SECTION.exec(source)) {
    at = SECTION.lastIndex;
    const [, first, count] = section.map(Number);
    for (let index = 0; index < (count ?? 0); index += 1, at += ENTRY) {
      if (source[at + 17] === "n") offsets.set((first ?? 0) + index, Number(source.slice(at, at + 10)));
    }
    SECTION.lastIndex = at;
  }
  const trailerAt = source.indexOf("trailer", at);
  const { value } = parseValue(source, trailerAt + "trailer".length);
  if (trailerAt < 0 || !isDict(value) || value.has("Prev") || value.has("Encrypt")) throw new Error("the PDF has no plain trailer");
  return { offsets, trailer: value, tableAt };
}

/** Bytes per entry of the table. */
const ENTRY = 20;

function writeTable(offsets: Map<number, number>, size: number, trailer: Dict, tableAt: number): string {
  const entries = Array.from({ length: size }, (_, id) => {
    const offset = offsets.get(id);
    return offset === undefined ? "0000000000 65535 f \n" : `${String(offset).padStart(10, "0")} 00000 n \n`;
  });
  trailer.set("Size", String(size));
  return `xref\n0 ${size}\n${entries.join("")}trailer\n${writeValue(trailer)}\nstartxref\n${tableAt}\n%%EOF\n`;
}
