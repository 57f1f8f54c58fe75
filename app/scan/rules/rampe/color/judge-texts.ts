import type { AnalyserGlobals } from "~/scan/rules/analyser";
import type { Clip, DrawnText, DrawnTextGlobals, TextColor } from "./drawn-texts";

/*
 * These functions run inside a page, in an isolated world (see `isolated-world.ts`). They are sent as source text: none may use
 * anything outside itself except types.
 */

/** A rule that judges by the measured contrast. */
export interface ContrastCheck {
  /** Id of the rule, whose messages are used. */
  id: string;
  /** Level AAA: 7:1, and 4.5:1 for large text. Failures at level AA are no findings of this level, as in axe-core. */
  isEnhanced: boolean;
}

/** Result of one rule for an element. */
export interface MeasuredText {
  /** Index among axe-core's open questions. */
  index: number;
  checkId: string;
  /** Certain outcome: all of the text has enough contrast, some has not, or the rule for level AA reports that. */
  outcome: "fails" | "passes" | "fails AA";
  /** Values for the message. */
  data: { messageKey: string; failing: number; letters: number; ratio: number; required: number };
  /** English message. */
  message: string;
}

/** Contrasts of one letter. */
interface Letter {
  /** Highest contrast in the letter's box. */
  highest: number;
  /** Lowest contrast on the letter itself. */
  lowest: number;
  moves: boolean;
}

/**
 * Measures the texts in view, except texts in front of moving content, and texts with enough contrast only in some parts.
 * @param pictures of the clip with the texts in black, in white and transparent; PNG as base64
 */
export async function judgeTexts(pictures: string[], clip: Clip, checks: ContrastCheck[]): Promise<MeasuredText[]> {
  const isolatedWorld = globalThis as unknown as AnalyserGlobals & Required<DrawnTextGlobals>;
  const { axe, drawnTexts } = isolatedWorld;
  // Margin, because another font draws the letters at other places of the background.
  const margin = 0.95;
  const { Color } = axe.commons.color;
  const luminances = new Map<number, number>();
  const pixels = await Promise.all(pictures.map(pixelsOf));
  const [black, white, bare] = pixels as [Uint8ClampedArray, Uint8ClampedArray, Uint8ClampedArray];
  return drawnTexts.inView.flatMap(judged);

  function judged(text: DrawnText): MeasuredText[] {
    if (JSON.stringify(drawnTexts.colorOf(text.element)) !== JSON.stringify(text.color)) return [];
    const letters = text.letters.flatMap((rect) => measure(rect, text.color));
    if (letters.length < 2 || letters.length < text.letters.length / 2 || letters.some(({ moves }) => moves)) return [];
    // Text in the colour of its background may be hidden on purpose.
    if (letters.every(({ highest }) => highest < 1.05)) return [];
    return checks.flatMap((check) => outcomeOf(text, letters, check) ?? []);
  }

  function outcomeOf({ index, required: requiredAA, ...text }: DrawnText, letters: Letter[], { id, isEnhanced }: ContrastCheck): MeasuredText | undefined {
    const required = isEnhanced ? (requiredAA < 4.5 ? 4.5 : 7) : requiredAA;
    const low = lowerThan(letters, required);
    const fails = isMany(low);
    const passes = text.isWhole && letters.length === text.letters.length && letters.every(({ lowest }) => lowest >= required);
    if (!fails && !passes) return undefined;
    const outcome = passes ? "passes" : isEnhanced && isMany(lowerThan(letters, requiredAA)) ? "fails AA" : "fails";
    const ratio = Math.floor(Math.max(...low.map(({ highest }) => highest), 1) * 100) / 100;
    const data = { messageKey: "low", failing: low.length, letters: letters.length, ratio, required };
    const { fail } = axe._audit.data.checks[id]?.messages ?? {};
    return { index, checkId: id, outcome, data, message: fail ? axe.utils.processMessage(fail, data) : "" };

    function isMany(some: Letter[]): boolean {
      return some.length >= Math.max(2, letters.length / 10);
    }
  }

  function lowerThan(letters: Letter[], required: number): Letter[] {
    return letters.filter(({ highest }) => highest < required * margin);
  }

  /** Contrasts of a letter; empty if it is not drawn. */
  function measure(rect: DOMRect, { red, green, blue, alpha, opacity }: TextColor): Letter[] {
    const ratios: number[] = [];
    let highest = 0;
    let still = 0;
    let moving = 0;
    const [left, top] = [Math.floor(rect.left) - clip.x, Math.floor(rect.top) - clip.y];
    const [right, bottom] = [Math.ceil(rect.right) - clip.x, Math.ceil(rect.bottom) - clip.y];
    for (let y = Math.max(0, top); y < Math.min(clip.height, bottom); y += 1) {
      for (let x = Math.max(0, left); x < Math.min(clip.width, right); x += 1) {
        const at = 4 * (y * clip.width + x);
        const cover = difference(white, black, at) / 255 / opacity;
        if (cover < 0.02) {
          if (difference(bare, black, at) > 6) moving += 1;
          else still += 1;
        }
        const [r, g, b] = [bare[at] ?? 0, bare[at + 1] ?? 0, bare[at + 2] ?? 0];
        const mixed = (over: number, under: number) => Math.round(under + (over - under) * alpha * opacity);
        const ratio = contrast(luminance(mixed(red, r), mixed(green, g), mixed(blue, b)), luminance(r, g, b));
        highest = Math.max(highest, ratio);
        if (cover > 0.6) ratios.push(ratio);
      }
    }
    if (ratios.length < 3) return [];
    ratios.sort((a, b) => a - b);
    return [{ highest, lowest: ratios[Math.floor(ratios.length / 20)] ?? 0, moves: moving > still / 20 }];
  }

  function difference(one: Uint8ClampedArray, other: Uint8ClampedArray, at: number): number {
    return [0, 1, 2].reduce((sum, channel) => sum + Math.abs((one[at + channel] ?? 0) - (other[at + channel] ?? 0)), 0) / 3;
  }

  function contrast(one: number, other: number): number {
    return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
  }

  /** Relative luminance, as defined by WCAG. */
  function luminance(red: number, green: number, blue: number): number {
    const color = (red << 16) | (green << 8) | blue;
    const known = luminances.get(color) ?? new Color(red, green, blue).getRelativeLuminance();
    luminances.set(color, known);
    return known;
  }

  async function pixelsOf(picture: string): Promise<Uint8ClampedArray> {
    const bytes = Uint8Array.from(atob(picture), (sign) => sign.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const context = new OffscreenCanvas(clip.width, clip.height).getContext("2d", { willReadFrequently: true }) as OffscreenCanvasRenderingContext2D;
    context.drawImage(bitmap, 0, 0);
    bitmap.close();
    return context.getImageData(0, 0, clip.width, clip.height).data;
  }
}

/** Shows the failed elements in the pictures of the report. @param failed indexes among axe-core's open questions */
export function showMeasured(failed: number[]): void {
  const { analyser } = globalThis as unknown as AnalyserGlobals;
  if (failed.length > 0) analyser.shown.push(failed.map((index) => analyser.openContrasts[index]));
}

/** English question of a rule about unmeasured texts. @param required contrast */
export function contrastQuestion(checkId: string, required: number): string {
  const { axe } = globalThis as unknown as AnalyserGlobals;
  const { incomplete } = axe._audit.data.checks[checkId]?.messages ?? {};
  return incomplete ? axe.utils.processMessage(incomplete, { messageKey: "open", required }) : "";
}
