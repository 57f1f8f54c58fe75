/** Red, green and blue, each from 0 to 1. */
export type Rgb = readonly [number, number, number];

/** Lightness from 0 to 1, and two colour axes; equal distances look about equally different. */
export type Oklab = readonly [lightness: number, a: number, b: number];

export const BLACK: Rgb = [0, 0, 0];
export const WHITE: Rgb = [1, 1, 1];

/** Colour from `#rrggbb`; null for other text. */
export function parseHex(text: unknown): Rgb | null {
  if (typeof text !== "string" || !/^#[0-9a-f]{6}$/i.test(text)) return null;
  const channel = (position: number) => Number.parseInt(text.slice(position, position + 2), 16) / 255;
  return [channel(1), channel(3), channel(5)];
}

/** Text of a colour as `#rrggbb`. */
export function toHex(color: Rgb): string {
  return `#${color.map((channel) => Math.round(channel * 255).toString(16).padStart(2, "0")).join("")}`;
}

/** Colour as rounded by a browser, to 256 steps per channel. */
export function rounded([red, green, blue]: Rgb): Rgb {
  const step = (channel: number) => Math.round(Math.min(1, Math.max(0, channel)) * 255) / 255;
  return [step(red), step(green), step(blue)];
}

/** Contrast ratio from 1 to 21 (WCAG 2.2, "contrast ratio"). */
export function contrastRatio(one: Rgb, other: Rgb): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** Luminance from 0 to 1 (WCAG 2.2, "relative luminance"). */
export function luminance(color: Rgb): number {
  const [red, green, blue] = toLinear(color);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function toLinear([red, green, blue]: Rgb): Rgb {
  const linear = (channel: number) => (channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4);
  return [linear(red), linear(green), linear(blue)];
}

function fromLinear([red, green, blue]: Rgb): Rgb {
  const encoded = (channel: number) =>
    channel <= 0.0031308 ? channel * 12.92 : 1.055 * channel ** (1 / 2.4) - 0.055;
  return [encoded(red), encoded(green), encoded(blue)];
}

/** Conversion to OKLab; numbers by Björn Ottosson, "A perceptual color space for image processing", 2020. */
export function toOklab(color: Rgb): Oklab {
  const [red, green, blue] = toLinear(color);
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

/** Conversion from OKLab; null for a colour outside sRGB, which screens cannot show. */
export function fromOklab([lightness, a, b]: Oklab): Rgb | null {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const linear: Rgb = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  const shown = linear.every((channel) => channel > -SLACK && channel < 1 + SLACK);
  return shown ? fromLinear(linear) : null;
}

/** Tolerance: the published numbers are rounded, so that white comes out slightly out of range. */
const SLACK = 1e-5;

/** Perceived difference of two colours: 1 between black and white. */
export function distance(one: Rgb, other: Rgb): number {
  const [from, to] = [toOklab(one), toOklab(other)];
  return Math.hypot(from[0] - to[0], from[1] - to[1], from[2] - to[2]);
}
