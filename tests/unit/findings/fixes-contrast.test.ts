import { describe, expect, test } from "vitest";
import { BLACK, contrastRatio, distance, parseHex, toHex, toOklab, WHITE, type Rgb } from "~/findings/fixes/color";
import { fixContrast, nearestWithContrast } from "~/findings/fixes/contrast";
import { fixOf } from "~/findings/rules/catalogue.server";
import type { CheckOutcome } from "~/scan/types";
import { seeded } from "../../support/seeded";

const rgb = (hex: string) => parseHex(hex)!;
const grey = (step: number) => rgb(`#${step.toString(16).padStart(2, "0").repeat(3)}`);

function contrastCheck(data: unknown, id = "color-contrast"): CheckOutcome[] {
  return [{ group: "any", id, data, message: "" }];
}

const pale = { fgColor: "#999999", bgColor: "#ffffff", expectedContrastRatio: "4.5:1", fontWeight: "normal" };

describe("a suggested colour", () => {
  const random = seeded(1);
  const color = (): Rgb => {
    const channel = () => Math.floor(random() * 256) / 255;
    return [channel(), channel(), channel()];
  };
  const pairs = Array.from({ length: 500 }, (_, index) => {
    return { color: color(), other: color(), required: [3, 4.5, 7][index % 3]! };
  }).filter(({ color, other, required }) => contrastRatio(color, other) <= required);

  test("has enough contrast as written, and exists if black or white has enough", () => {
    for (const { color, other, required } of pairs) {
      const reachable = [BLACK, WHITE].some((end) => contrastRatio(end, other) > required);
      const nearest = nearestWithContrast(color, other, required);
      expect(nearest !== null, `${toHex(color)} on ${toHex(other)}`).toBe(reachable);
      if (nearest) {
        expect(contrastRatio(rgb(nearest.color), other)).toBeGreaterThan(required);
        expect(nearest.ratio).toBe(contrastRatio(rgb(nearest.color), other));
      }
    }
  });

  test("is not farther from the original than black or white", () => {
    for (const { color, other, required } of pairs) {
      const nearest = nearestWithContrast(color, other, required);
      const ends = [BLACK, WHITE].filter((end) => contrastRatio(end, other) > required);
      for (const end of nearest ? ends : []) {
        expect(distance(rgb(nearest!.color), color)).toBeLessThanOrEqual(distance(end, color));
      }
    }
  });

  test("is almost the nearest of all sufficient colours", () => {
    const all = [...Array(16 ** 3).keys()].map((code) => rgb(`#${code.toString(16).padStart(3, "0").replace(/./g, "$&$&")}`));
    for (const { color, other, required } of pairs.slice(0, 20)) {
      const nearest = nearestWithContrast(color, other, required);
      const distances = all.filter((each) => contrastRatio(each, other) > required).map((each) => distance(each, color));
      // The hue stays, even if another one would be slightly nearer.
      if (nearest) expect(distance(rgb(nearest.color), color)).toBeLessThan(Math.min(...distances) * 1.25 + 0.02);
    }
  });

  test("is the nearest sufficient grey for a grey", () => {
    for (const background of [0, 60, 119, 128, 200, 255]) {
      for (const text of [0, 90, 119, 150, 255]) {
        const other = grey(background);
        if (contrastRatio(grey(text), other) > 4.5) continue;
        const steps = [...Array(256).keys()].filter((step) => contrastRatio(grey(step), other) > 4.5);
        const shortest = Math.min(...steps.map((step) => distance(grey(step), grey(text))));
        const nearest = rgb(nearestWithContrast(grey(text), other, 4.5)!.color);
        expect(distance(nearest, grey(text))).toBeCloseTo(shortest, 6);
      }
    }
  });

  test("keeps its hue", () => {
    const hue = (of: Rgb) => Math.atan2(toOklab(of)[2], toOklab(of)[1]);
    for (const text of ["#ff6600", "#00aa88", "#3399ff", "#e91e63"]) {
      const { color } = nearestWithContrast(rgb(text), WHITE, 4.5)!;
      expect(hue(rgb(color))).toBeCloseTo(hue(rgb(text)), 1);
    }
  });
});

describe("axe-core's data about colours", () => {
  test("gives a new text colour and a new background", () => {
    expect(fixContrast({ checks: contrastCheck({ ...pale, fgColor: "#777777" }) })).toEqual({
      kind: "colors",
      foreground: "#777777",
      background: "#ffffff",
      ratio: contrastRatio(rgb("#777777"), WHITE),
      required: 4.5,
      bold: false,
      newForeground: { color: "#767676", ratio: contrastRatio(rgb("#767676"), WHITE) },
      newBackground: null,
    });
  });

  test("replaces light text on a colour by dark text, or makes the colour darker", () => {
    const fix = fixContrast({ checks: contrastCheck({ ...pale, fgColor: "#ffffff", bgColor: "#ff6600", fontWeight: "bold" }) })!;
    expect(fix.bold).toBe(true);
    expect(contrastRatio(rgb(fix.newForeground!.color), BLACK)).toBeLessThan(2);
    expect(contrastRatio(rgb(fix.newBackground!.color), WHITE)).toBeCloseTo(4.5, 1);
  });

  test("is used for level AAA too", () => {
    const data = { ...pale, expectedContrastRatio: "7:1" };
    const element = { html: "<p>", htmlCut: false, checks: contrastCheck(data, "color-contrast-enhanced") };
    const fix = fixOf("color-contrast-enhanced", element, "de");
    expect(fix).toMatchObject({ kind: "colors", required: 7 });
  });

  test.each([
    ["an unknown background", { ...pale, bgColor: undefined }],
    ["a text shadow", { ...pale, shadowColor: "#000000" }],
    ["two equal colours, a sign of a wrong background", { ...pale, fgColor: "#ffffff" }],
    ["enough contrast", { ...pale, fgColor: "#000000" }],
    ["an impossible ratio", { ...pale, expectedContrastRatio: "22:1" }],
    ["an invalid ratio", { ...pale, expectedContrastRatio: "9".repeat(100) }],
    ["an invalid colour", { ...pale, fgColor: "red;background:url(//x)" }],
    ["an object instead of a colour", { ...pale, fgColor: { toString: 1 } }],
    ["nothing", null],
    ["a text", "#777777"],
    ["a list", [pale]],
  ])("gives no suggestion for %s", (_case, data) => {
    expect(fixContrast({ checks: contrastCheck(data) })).toBeNull();
  });
});
