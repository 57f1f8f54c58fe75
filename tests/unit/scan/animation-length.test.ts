import { expect, test } from "vitest";
import { animationLengthMs } from "~/scan/rules/rampe/media/animation-length";

const FRAME = [0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0];
const timed = (hundredths: number) => [0x21, 0xf9, 4, 0, hundredths & 255, hundredths >> 8, 0, 0, ...FRAME];
const repeated = (times: number) => [0x21, 0xff, 11, ...Buffer.from("NETSCAPE2.0"), 3, 1, times & 255, times >> 8, 0];
const gif = (...parts: number[][]) => Buffer.from([...Buffer.from("GIF89a"), 1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255, ...parts.flat(), 0x3b]);

function webp(plays: number, ...times: number[]): Buffer {
  const chunk = (name: string, content: Buffer) => Buffer.concat([Buffer.from(name), word(content.length), content, Buffer.alloc(content.length % 2)]);
  const word = (value: number) => Buffer.from([value & 255, (value >> 8) & 255, (value >> 16) & 255, 0]);
  const frames = times.map((ms) => chunk("ANMF", Buffer.concat([Buffer.alloc(12), word(ms).subarray(0, 3), Buffer.alloc(4)])));
  return Buffer.concat([Buffer.from("RIFF\0\0\0\0WEBP"), chunk("ANIM", Buffer.from([0, 0, 0, 0, plays, 0])), ...frames]);
}

function apng(plays: number, ...times: [number, number][]): Buffer {
  const chunk = (name: string, content: number[]) => Buffer.from([0, 0, 0, content.length, ...Buffer.from(name), ...content, 0, 0, 0, 0]);
  const frames = times.map(([numerator, denominator]) => chunk("fcTL", [...Array<number>(20).fill(0), 0, numerator, 0, denominator, 0, 0]));
  return Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), chunk("acTL", [0, 0, 0, times.length, 0, 0, 0, plays]), ...frames]);
}

test.each([
  ["a GIF with one frame", gif(repeated(0), timed(50)), 0],
  ["a GIF without repetition", gif(timed(50), timed(70)), 1_200],
  ["a GIF that is repeated twice", gif(repeated(2), timed(50), timed(70)), 3_600],
  ["a GIF without end", gif(repeated(0), timed(50), timed(70)), Infinity],
  ["a GIF whose frames have no time", gif(FRAME, FRAME, FRAME), 300],
  ["a WebP shown three times", webp(3, 1_000, 500), 4_500],
  ["a WebP without end", webp(0, 1_000, 500), Infinity],
  ["an APNG shown twice", apng(2, [1, 2], [3, 0]), 1_060],
  ["an APNG without end", apng(0, [1, 2], [1, 2]), Infinity],
  ["a PNG", apng(0), 0],
])("%s", (_what, bytes, ms) => {
  expect(animationLengthMs(bytes)).toBe(ms);
});

test("a file that is cut anywhere, or is none of these, is still, or moves for a shorter time", () => {
  for (const whole of [gif(repeated(2), timed(50), timed(70)), webp(3, 1_000, 500), apng(2, [1, 2], [3, 0])]) {
    for (let end = 0; end < whole.length; end += 1) {
      expect(animationLengthMs(whole.subarray(0, end))).toBeLessThanOrEqual(animationLengthMs(whole));
    }
  }
  expect(animationLengthMs(Buffer.from("<svg/>"))).toBe(0);
});
