import type { CheckOutcome } from "~/scan/types";
import {
  BLACK,
  contrastRatio,
  distance,
  fromOklab,
  luminance,
  parseHex,
  rounded,
  toHex,
  toOklab,
  WHITE,
  type Rgb,
} from "./color";
import type { ColorFix, ColorSuggestion } from "./fix";

const CHECKS = ["color-contrast", "color-contrast-enhanced"];

/** Number of bisection steps: finer than the 256 steps of a channel. */
const STEPS = 14;

/**
 * The nearest colours with enough contrast, from the data of axe-core's contrast checks. Null if the data does not have
 * both colours, if another property (text shadow) determines the contrast, or if neither colour can be replaced.
 */
export function fixContrast({ checks }: { checks: CheckOutcome[] }): ColorFix | null {
  const data = checks.find(({ id }) => CHECKS.includes(id))?.data;
  if (typeof data !== "object" || data === null) return null;
  const { fgColor, bgColor, expectedContrastRatio, fontWeight, shadowColor } = data as Record<string, unknown>;
  const foreground = parseHex(fgColor);
  const background = parseHex(bgColor);
  const required = parseRatio(expectedContrastRatio);
  if (!foreground || !background || required === null || typeof shadowColor === "string") return null;

  const ratio = contrastRatio(foreground, background);
  // Ratio 1: the text usually has another background, which axe-core has not found.
  if (ratio === 1 || ratio > required) return null;
  const newForeground = nearestWithContrast(foreground, background, required);
  const nearest = nearestWithContrast(background, foreground, required);
  // One pale text must not turn a light page dark.
  const newBackground = nearest && newForeground && turnsRound(nearest.color, background, foreground) ? null : nearest;
  if (!newForeground && !newBackground) return null;
  return {
    kind: "colors",
    foreground: toHex(foreground),
    background: toHex(background),
    ratio,
    required,
    bold: fontWeight === "bold",
    newForeground,
    newBackground,
  };
}

/** Whether dark text on light would become light text on dark, or the other way round. */
function turnsRound(newBackground: string, background: Rgb, foreground: Rgb): boolean {
  const isLighter = (color: Rgb | null) => color !== null && luminance(color) > luminance(foreground);
  return isLighter(parseHex(newBackground)) !== isLighter(background);
}

function parseRatio(text: unknown): number | null {
  const [, number] = (typeof text === "string" && /^(\d{1,2}(?:\.\d{1,2})?):1$/.exec(text)) || [];
  return number === undefined ? null : Number(number);
}

/**
 * The colour nearest to `color`, by distance in OKLab, whose contrast with `other` is above `required`: darker or lighter,
 * same hue, same chroma or the maximum that screens allow. Null if not even black or white has that contrast.
 */
export function nearestWithContrast(color: Rgb, other: Rgb, required: number): ColorSuggestion | null {
  // axe-core requires a ratio above the required one; equal is not enough.
  const passes = (candidate: Rgb) => contrastRatio(candidate, other) > required;
  const [nearest] = [BLACK, WHITE]
    .filter(passes)
    .flatMap((end) => [end, towards(end, color, passes)])
    .sort((one, another) => distance(one, color) - distance(another, color));
  return nearest ? { color: toHex(nearest), ratio: contrastRatio(nearest, other) } : null;
}

/** The first passing colour between `color` and black or white, by bisection; `end` itself passes. */
function towards(end: Rgb, color: Rgb, passes: (candidate: Rgb) => boolean): Rgb {
  let found = end;
  let [failing, passing] = [toOklab(color)[0], toOklab(end)[0]];
  for (let step = 0; step < STEPS; step += 1) {
    const lightness = (failing + passing) / 2;
    const candidate = withLightness(color, lightness);
    // Tested after rounding, as displayed.
    if (passes(candidate)) [found, passing] = [candidate, lightness];
    else failing = lightness;
  }
  return found;
}

/** Colour with another lightness; with less chroma if screens cannot show it otherwise. */
function withLightness(color: Rgb, lightness: number): Rgb {
  const [, a, b] = toOklab(color);
  const withChroma = (share: number) => fromOklab([lightness, a * share, b * share]);
  const unchanged = withChroma(1);
  if (unchanged) return rounded(unchanged);
  let [possible, impossible] = [0, 1];
  for (let step = 0; step < STEPS; step += 1) {
    const share = (possible + impossible) / 2;
    if (withChroma(share)) possible = share;
    else impossible = share;
  }
  return rounded(withChroma(possible) ?? [lightness, lightness, lightness]);
}
