import { afterAll, beforeAll, describe, expect, it } from "vitest";
import criteria from "locales/en/criteria.json";
import texts from "locales/en/rules.json";
import { WATCHED_RULES } from "~/scan/rules/rampe/index";
import { checkWhole, expectByScan, judgeByScan } from "../../support/scan/judge-page";
import { readRuleCases } from "../../support/scan/rule-cases";
import { testScanner } from "../../support/scan/scanner";
import { openSite, pageWith, type Site } from "../../support/scan/site";

const scanner = testScanner({ ruleTexts: { ...texts, criteria }, pageSeconds: 30 });
afterAll(() => scanner.stop());

describe("rules about what changes while a page is left alone", () => {
  const cases = readRuleCases().filter(({ ruleId }) => WATCHED_RULES.has(ruleId));
  let site: Site;
  beforeAll(async () => {
    site = await openSite(Object.fromEntries(cases.map(({ markup }, index) => [`/${index}`, pageWith(markup)])));
  });
  afterAll(() => site.close());

  it.concurrent.for(cases.map((each, index) => ({ ...each, index })))("$ruleId, $expected: $title", async ({ ruleId, expected, index }) => {
    // A busy machine may leave too little time to watch the page.
    await expectByScan(scanner, site.url(`/${index}`), ruleId, expected);
  });
});

const draw = (texts: string, more = "") => `<canvas id="c" width="300" height="100"></canvas>${more}<script>{ const pen = c.getContext("2d"); pen.font = "20px sans-serif"; ${texts} }</script>`;
const FARES = `pen.fillText("Single fare", 20, 40); pen.strokeText("Day ticket", 20, 80);`;
const CANVASES: Record<string, ["failed" | "asked" | "passed" | "inapplicable", string]> = {
  "words that are nowhere else": ["failed", draw(FARES)],
  "words in a canvas that a script adds later": ["failed", `<p>Open today</p><script>setTimeout(() => { const late = document.createElement("canvas"); document.body.append(late); const pen = late.getContext("2d"); pen.font = "20px serif"; pen.fillText("Single fare", 20, 40) }, 50)</script>`],
  "words that stand in the text, too": ["asked", draw(FARES, "<p>A single fare is three euros, a day ticket nine.</p>")],
  "words that a hidden table repeats": ["asked", draw(FARES, "<table hidden><tr><td>Single fare<td>Day ticket</table>")],
  "a drawing without words": ["asked", draw("pen.fillRect(10, 10, 80, 80)")],
  "numbers alone": ["asked", draw(`pen.fillText("73 %", 20, 40)`)],
  "words that were wiped off": ["asked", draw(`${FARES} pen.clearRect(0, 0, 300, 100)`)],
  "words under a new ground": ["asked", draw(`${FARES} pen.fillRect(0, 0, 300, 100)`)],
  "words in a canvas that has another size now": ["asked", draw(`${FARES} c.width = 301; pen.fillRect(9, 9, 9, 9)`)],
  "words that are drawn again on a new ground": ["failed", draw(`${FARES} pen.clearRect(0, 0, 300, 100); ${FARES}`)],
  "labels that are short for words of the page": ["asked", draw(`pen.fillText("Jan Feb Mar", 20, 40)`, "<p>January, February and March were dry.</p>")],
  "words of a picture that is described": ["asked", draw(FARES).replace(">", ` aria-describedby="about">`) + `<p id="about">What a ride costs</p>`],
  "a page that answers in our place": ["asked", draw(`pen.fillRect(10, 10, 80, 80); CanvasRenderingContext2D.prototype.fillText = () => Array(3e6).fill({})`)],
  "words beside the area": ["asked", draw(`pen.fillText("Single fare", 20, 400)`)],
  "words with a name": ["inapplicable", draw(FARES).replace(">", ` role="img" aria-label="Fares: single, day">`)],
  "words with another form inside": ["inapplicable", draw(FARES).replace("></canvas>", ">Fares for one ride and a day</canvas>")],
};

describe("words in drawings", () => {
  const all = Object.entries(CANVASES);
  const spying = `<p id="out">Functions</p><canvas></canvas><script>const { fillText } = CanvasRenderingContext2D.prototype; let thrown = ""; try { fillText.call({}, "a", 1, 1) } catch (error) { thrown = error.constructor.name } document.title = [fillText.name, fillText.length, /native code/.test(fillText), Object.keys(window).filter((key) => /rampe/.test(key)).length, thrown].join()</script>`;
  let site: Site;
  beforeAll(async () => {
    site = await openSite({ ...Object.fromEntries(all.map(([, [, markup]], index) => [`/${index}`, pageWith(markup)])), "/spying": pageWith(spying) });
  });
  afterAll(() => site.close());

  it.concurrent.each(all.map(([title, [expected]], index) => ({ title, expected, index })))("$expected: $title", async ({ expected, index }) => {
    expect(await judgeByScan(scanner, site.url(`/${index}`), "rampe-decorative-image")).toBe(expected);
  });

  it("are asked about at level AAA if they are sentences, not labels (1.4.9)", async () => {
    const pages = {
      "/sentence": draw(`pen.fillText("The library is closed today", 20, 40); pen.fillText("and opens on Monday at nine", 20, 80)`),
      "/labels": draw(FARES),
      "/text": draw(`pen.fillText("The library is closed today", 20, 40)`, "<p>The library is closed today.</p>"),
    };
    const drawn = await openSite(Object.fromEntries(Object.entries(pages).map(([path, markup]) => [path, pageWith(markup)])));
    const judged = (path: string) => judgeByScan(scanner, drawn.url(path), "rampe-image-of-text");
    try {
      expect([await judged("/sentence"), await judged("/labels"), await judged("/text")]).toEqual(["asked", "inapplicable", "inapplicable"]);
    } finally {
      await drawn.close();
    }
  });

  it("are no errors in a free check, which does not look", async () => {
    const { findings } = await checkWhole(scanner, { url: site.url("/0"), rules: { only: ["rampe-decorative-image"] } });
    expect(findings.violations).toEqual([]);
  });

  it("are noted without a trace that scripts would meet", async () => {
    expect((await checkWhole(scanner, { url: site.url("/spying"), advanced: true, rules: { only: ["image-alt"] } })).title).toBe("fillText,3,true,0,TypeError");
  });
});

/** Tone as a WAV file, 8 bits, 8 kHz. */
function tone(seconds: number): Buffer {
  const size = seconds * 8_000;
  const file = Buffer.alloc(44 + size);
  [0x46464952, 36 + size, 0x45564157, 0x20746d66, 16, 0x10001, 8_000, 8_000, 0x80001, 0x61746164, size].forEach((word, at) => file.writeUInt32LE(word, at * 4));
  for (let at = 0; at < size; at += 1) file[44 + at] = at % 40 < 20 ? 90 : 160;
  return file;
}

describe("a recording that starts by itself", () => {
  const page = (source: string, attributes = "") => pageWith(`<p>Welcome to the library.</p><audio src="${source}" autoplay ${attributes}></audio>`);
  const sound = (seconds: number) => ({ headers: { "content-type": "audio/wav" }, body: tone(seconds) });
  let site: Site;
  beforeAll(async () => {
    site = await openSite({ "/long.wav": sound(5), "/short.wav": sound(2), "/long": page("/long.wav"), "/short": page("/short.wav"), "/muted": page("/long.wav", "muted"), "/controls": page("/long.wav", "controls") });
  });
  afterAll(() => site.close());

  it.each(["failed /long", "inapplicable /short", "inapplicable /muted"])("%s", async (line) => {
    const [expected, path = ""] = line.split(" ");
    expect(await judgeByScan(scanner, site.url(path), "rampe-autoplay-sound")).toBe(expected);
  });

  it("does not count as content that failed to load", async () => {
    expect((await checkWhole(scanner, { url: site.url("/long"), advanced: true, rules: { only: ["rampe-autoplay-sound"] } })).gaps.resources).toBe(0);
  });
});
