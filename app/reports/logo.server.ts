import { crc32, deflateSync, inflateSync } from "node:zlib";

export interface Logo {
  type: "image/png";
  data: Uint8Array;
}

/** Maximum size in bytes: enough for a logo in print. */
export const MAX_LOGO_BYTES = 200_000;
const MAX_SIDE = 4_000;
const MAX_PIXELS = 4_000_000;

/**
 * Uploaded picture, written again with only its pixels: no metadata, no data behind its end, and no more pixels than a
 * logo needs.
 * JPEG is refused: we cannot check its pixels, and only the report's reader would see damage.
 * @returns the name of a problem if it is no PNG, broken, or too large
 */
export function cleanLogo(bytes: Uint8Array): Logo | "logo_large" | "logo_unreadable" | "logo_jpeg" {
  if (bytes.length > MAX_LOGO_BYTES) return "logo_large";
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    if (file.subarray(0, 8).equals(PNG)) return { type: "image/png", data: cleanPng(file) };
  } catch (error) {
    return error instanceof TooLarge ? "logo_large" : "logo_unreadable";
  }
  return file.subarray(0, 3).equals(JPEG) ? "logo_jpeg" : "logo_unreadable";
}

class TooLarge extends Error {}

function checkSize(width: number, height: number): void {
  if (width < 1 || height < 1) throw new Error("a picture without pixels");
  if (width > MAX_SIDE || height > MAX_SIDE || width * height > MAX_PIXELS) throw new TooLarge();
}

const JPEG = Buffer.from([0xff, 0xd8, 0xff]);
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Channels and allowed bits per channel, by colour type. */
const COLORS: Record<number, { channels: number; depths: number[] }> = {
  0: { channels: 1, depths: [1, 2, 4, 8, 16] },
  2: { channels: 3, depths: [8, 16] },
  3: { channels: 1, depths: [1, 2, 4, 8] },
  4: { channels: 2, depths: [8, 16] },
  6: { channels: 4, depths: [8, 16] },
};

function cleanPng(file: Buffer): Buffer {
  const kept = new Map<string, Buffer>();
  const pixels: Buffer[] = [];
  for (let at = PNG.length; ; ) {
    const length = file.readUInt32BE(at);
    const body = file.subarray(at + 4, at + 8 + length);
    const name = body.toString("latin1", 0, 4);
    if (body.length !== length + 4 || file.readUInt32BE(at + 8 + length) !== crc32(body)) throw new Error("a broken part");
    if (name === "IDAT") pixels.push(body.subarray(4));
    else if (["IHDR", "PLTE", "tRNS"].includes(name) && !kept.has(name)) kept.set(name, body.subarray(4));
    if (name === "IEND") break;
    at += 12 + length;
  }
  const head = kept.get("IHDR");
  if (head?.length !== 13) throw new Error("no head");
  const [width, height] = [head.readUInt32BE(0), head.readUInt32BE(4)];
  checkSize(width, height);
  const [depth = 0, color = 0, compression, filter, interlace] = head.subarray(8);
  const { channels, depths } = COLORS[color] ?? { channels: 0, depths: [] };
  if (!depths.includes(depth) || compression !== 0 || filter !== 0 || (interlace !== 0 && interlace !== 1)) throw new Error("an unknown kind");
  const palette = kept.get("PLTE");
  if (color === 3 && (!palette || palette.length % 3 !== 0 || palette.length > 768)) throw new Error("no palette");
  const expected = (interlace === 1 ? passes(width, height) : [[width, height] as const]).reduce(
    (sum, [columns, rows]) => sum + (columns > 0 ? rows * (1 + Math.ceil((columns * channels * depth) / 8)) : 0),
    0,
  );
  // Limit against small files that become huge pictures.
  const raw = inflateSync(Buffer.concat(pixels), { maxOutputLength: expected + 1 });
  if (raw.length !== expected) throw new Error("pixels are missing");
  const part = (name: string, data: Buffer | undefined) => (data ? [chunk(name, data)] : []);
  return Buffer.concat([
    PNG,
    chunk("IHDR", head),
    ...(color === 3 ? part("PLTE", palette) : []),
    ...(color < 4 ? part("tRNS", kept.get("tRNS")?.subarray(0, 256)) : []),
    chunk("IDAT", deflateSync(raw)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** Sizes of the seven passes of an interlaced picture (Adam7). */
function passes(width: number, height: number): (readonly [number, number])[] {
  const PASSES = [[0, 0, 8, 8], [4, 0, 8, 8], [0, 4, 4, 8], [2, 0, 4, 4], [0, 2, 2, 4], [1, 0, 2, 2], [0, 1, 1, 2]] as const;
  return PASSES.map(([x, y, stepX, stepY]) => [Math.ceil((width - x) / stepX), Math.ceil((height - y) / stepY)]);
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
