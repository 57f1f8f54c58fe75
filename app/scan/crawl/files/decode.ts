import type { Readable, Transform } from "node:stream";
import { constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from "node:zlib";

/** Bytes, possibly cut at a limit. */
export interface Bytes {
  body: Buffer;
  /** The body has been cut. */
  cut: boolean;
}

/** Reads a stream until its end, or up to `maxBytes`. */
export async function readBytes(stream: Readable, maxBytes: number): Promise<Bytes> {
  const collected = collect(maxBytes);
  await collected.addAll(stream);
  return collected.bytes();
}

/** Collects the chunks of a stream, up to a limit; chunks before an error count. */
function collect(maxBytes: number) {
  const chunks: Buffer[] = [];
  let length = 0;
  return {
    async addAll(stream: Readable): Promise<void> {
      for await (const chunk of stream) {
        chunks.push(chunk as Buffer);
        length += (chunk as Buffer).length;
        if (length > maxBytes) break;
      }
    },
    isEmpty: () => length === 0,
    bytes: (): Bytes => ({ body: Buffer.concat(chunks).subarray(0, maxBytes), cut: length > maxBytes }),
  };
}

// Truncated data is decoded up to the cut.
const ZLIB = { finishFlush: constants.Z_SYNC_FLUSH };
const BROTLI = { finishFlush: constants.BROTLI_OPERATION_FLUSH };

const DECODERS: Record<string, (body: Buffer) => Transform> = {
  gzip: () => createGunzip(ZLIB),
  "x-gzip": () => createGunzip(ZLIB),
  // Some servers omit the wrapper that the standard requires (RFC 9110, 8.4.1.2).
  deflate: (body) => (((body[0] ?? 0) & 0x0f) === 8 ? createInflate(ZLIB) : createInflateRaw(ZLIB)),
  br: () => createBrotliDecompress(BROTLI),
};

/**
 * Decodes a body by its `Content-Encoding`. A body that is not encoded as declared (servers do this with compressed
 * files) stays unchanged.
 */
export async function decodeBody({ body, cut }: Bytes, encoding: string, maxBytes: number): Promise<Bytes> {
  const names = encoding
    .toLowerCase()
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "" && name !== "identity")
    .reverse();
  let bytes: Bytes = { body, cut };
  for (const name of names.slice(0, MOST_ENCODINGS)) {
    const decoder = DECODERS[name]?.(bytes.body);
    if (!decoder || bytes.body.length === 0) break;
    const decoded = await decodeBy(decoder, bytes.body, maxBytes);
    if (!decoded) break;
    bytes = { body: decoded.body, cut: bytes.cut || decoded.cut };
  }
  return bytes;
}

const MOST_ENCODINGS = 3;

/** Unpacks data with gzip's first bytes, up to twice. */
export async function decompress(bytes: Bytes, maxBytes: number): Promise<Bytes> {
  let unzipped = bytes;
  for (let times = 0; times < 2 && isGzip(unzipped.body); times += 1)
    unzipped = await decodeBody(unzipped, "gzip", maxBytes);
  return unzipped;
}

const isGzip = (body: Buffer) => body[0] === 0x1f && body[1] === 0x8b;

/** Undefined when nothing can be decoded. */
async function decodeBy(decoder: Transform, body: Buffer, maxBytes: number): Promise<Bytes | undefined> {
  const decoded = collect(maxBytes);
  try {
    decoder.end(body);
    await decoded.addAll(decoder);
  } catch {
    if (decoded.isEmpty()) return undefined;
  } finally {
    decoder.destroy();
  }
  return decoded.bytes();
}

/** Text of a file, in the encoding that it declares. */
export function decodeText(body: Buffer): string {
  return new TextDecoder(encodingOf(body)).decode(body);
}

/** Encoding by the byte order mark, else by the XML declaration, else UTF-8. */
function encodingOf(body: Buffer): string {
  if (body[0] === 0xff && body[1] === 0xfe) return "utf-16le";
  if (body[0] === 0xfe && body[1] === 0xff) return "utf-16be";
  const declaration = /^\s*<\?xml[^>]*\bencoding\s*=\s*["']([\w-]+)["']/.exec(body.toString("latin1", 0, 200));
  const name = declaration?.[1] ?? "utf-8";
  try {
    const { encoding } = new TextDecoder(name);
    // A declaration readable as ASCII cannot be UTF-16.
    return encoding.startsWith("utf-16") ? "utf-8" : encoding;
  } catch {
    return "utf-8";
  }
}
