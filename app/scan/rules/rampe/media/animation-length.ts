/** Browsers show a frame with a shorter time for 100 ms. */
const SHORTEST_FRAME_MS = 20;
const SHORT_FRAME_MS = 100;

interface Frames {
  /** Time of each frame, in ms. */
  times: number[];
  /** Number of repetitions; Infinity without end. */
  plays: number;
}

/**
 * Time in ms for which a picture (GIF, WebP, APNG) moves, with all its repetitions; Infinity without end, 0 for a still or broken one.
 * @param bytes whole file; untrusted
 */
export function animationLengthMs(bytes: Buffer): number {
  const { times, plays } = framesOf(bytes);
  if (times.length < 2) return 0;
  return plays * times.reduce((sum, time) => sum + (time < SHORTEST_FRAME_MS ? SHORT_FRAME_MS : time), 0);
}

function framesOf(bytes: Buffer): Frames {
  const starts = (text: string, at = 0) => bytes.toString("latin1", at, at + text.length) === text;
  try {
    if (starts("GIF8")) return framesOfGif(bytes);
    if (starts("RIFF") && starts("WEBP", 8)) return framesOfWebp(bytes);
    if (starts("\x89PNG")) return framesOfPng(bytes);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error; // the file ends too early
  }
  return { times: [], plays: 0 };
}

/** https://www.w3.org/Graphics/GIF/spec-gif89a.txt */
function framesOfGif(bytes: Buffer): Frames {
  const [extension, image, control, application] = [0x21, 0x2c, 0xf9, 0xff];
  const tableSize = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 0x07) + 1) : 0);
  const afterBlocks = (start: number) => {
    let at = start;
    while (bytes.readUInt8(at) !== 0) at += bytes.readUInt8(at) + 1;
    return at + 1;
  };
  const times: number[] = [];
  let plays = 1;
  let time = 0;
  let at = 13 + tableSize(bytes.readUInt8(10));
  for (;;) {
    const kind = bytes.readUInt8(at);
    if (kind === extension) {
      const label = bytes.readUInt8(at + 1);
      if (label === control) time = bytes.readUInt16LE(at + 4) * 10;
      if (label === application && bytes.toString("latin1", at + 3, at + 11) === "NETSCAPE") plays = repetitions(bytes.readUInt16LE(at + 16), 1);
      at = afterBlocks(at + 2);
    } else if (kind === image) {
      times.push(time);
      time = 0;
      at = afterBlocks(at + 11 + tableSize(bytes.readUInt8(at + 9)));
    } else {
      return { times, plays };
    }
  }
}

/** https://developers.google.com/speed/webp/docs/riff_container */
function framesOfWebp(bytes: Buffer): Frames {
  const times: number[] = [];
  let plays = 1;
  for (let at = 12; at + 8 <= bytes.length; ) {
    const [name, size] = [bytes.toString("latin1", at, at + 4), bytes.readUInt32LE(at + 4)];
    if (name === "ANIM") plays = repetitions(bytes.readUInt16LE(at + 12));
    if (name === "ANMF") times.push(bytes.readUIntLE(at + 20, 3));
    at += 8 + size + (size % 2);
  }
  return { times, plays };
}

/** https://www.w3.org/TR/png-3/#apng-frame-based-animation */
function framesOfPng(bytes: Buffer): Frames {
  const times: number[] = [];
  let plays = 1;
  for (let at = 8; at + 12 <= bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    const name = bytes.toString("latin1", at + 4, at + 8);
    if (name === "acTL") plays = repetitions(bytes.readUInt32BE(at + 12));
    if (name === "fcTL") times.push((bytes.readUInt16BE(at + 28) / (bytes.readUInt16BE(at + 30) || 100)) * 1_000);
  }
  return { times, plays };
}

/** @param stated number in the file, 0 for no end @param more shown once before they are counted */
const repetitions = (stated: number, more = 0): number => (stated === 0 ? Infinity : stated + more);
