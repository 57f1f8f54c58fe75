import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CheckedPage } from "~/scan/types";
import { checkWhole } from "../../support/scan/judge-page";
import { testScanner } from "../../support/scan/scanner";
import { openSite, pageWith } from "../../support/scan/site";
import criteria from "locales/en/criteria.json";
import texts from "locales/en/rules.json";

const MODAL = (open: string) =>
  `<iframe title="Links" tabindex="-1" srcdoc="<!doctype html><html lang=en><title>Links</title><p><a href='/'>Home page</a></p></html>"></iframe>
  <dialog aria-label="Privacy"><p>We store nothing.</p><button>Close</button></dialog>
  <script>document.querySelector("dialog").${open}()</script>`;

/** Rule of axe-core, markup that meets its criterion, and similar markup that fails. */
const CASES = [
  {
    rule: "aria-valid-attr-value",
    right: `<div role="combobox" tabindex="0" aria-expanded="undefined" aria-controls="list" aria-label="Fare">Adult</div>`,
    wrong: `<div role="combobox" tabindex="0" aria-expanded="true" aria-controls="list" aria-label="Fare">Adult</div>`,
  },
  { rule: "label-content-name-mismatch", right: `<a href="/a" aria-label="University Avenue, map">University Ave.</a>`, wrong: `<a href="/a" aria-label="College Avenue, map">University Ave.</a>` },
  { rule: "label-content-name-mismatch", right: `<a href="/a" aria-label="Order non-standard sizes">nonstandard sizes</a>`, wrong: `<a href="/a" aria-label="Order standard sizes">nonstandard sizes</a>` },
  {
    rule: "label-content-name-mismatch",
    right: `<link rel="stylesheet" href="http://icons.invalid/icons.css"><button aria-label="Find" style="font-family: 'Material Icons'">search</button>`,
    wrong: `<link rel="stylesheet" href="http://icons.invalid/icons.css"><button aria-label="Find" style="font-family: Roboto, 'Material Icons'">search</button>`,
  },
  {
    rule: "label-content-name-mismatch",
    right: `<style>@font-face { font-family: "Material Icons"; src: url(data:font/woff2,) }</style><button aria-label="Find" style="font-family: 'Material Icons'">search</button>`,
    wrong: `<button aria-label="Find" style="font-family: 'Material Icons'">search</button>`,
  },
  { rule: "label-content-name-mismatch", right: `<a href="/a" aria-label="Examples, Heading level 2">2) Examples</a>`, wrong: `<a href="/a" aria-label="Examples, Heading level 2">2 Examples</a>` },
  { rule: "label-content-name-mismatch", right: `<a href="/a" aria-label="Start, Heading level 3">1. Start</a>`, wrong: `<a href="/a" aria-label="Start, Heading level 3">1.5 Start</a>` },
  { rule: "frame-focusable-content", right: MODAL("showModal"), wrong: MODAL("show") },
];

describe("known false alarms of axe-core", () => {
  let site: Awaited<ReturnType<typeof openSite>>;
  let scanner: ReturnType<typeof testScanner>;
  let plain: ReturnType<typeof testScanner>;
  const pages = CASES.flatMap(({ right, wrong }, index) => [[`/right${index}`, pageWith(right)], [`/wrong${index}`, pageWith(wrong)]] as const);
  beforeAll(async () => {
    site = await openSite(Object.fromEntries(pages));
    scanner = testScanner({ ruleTexts: { ...texts, criteria } });
    plain = testScanner();
  });
  afterAll(async () => {
    await Promise.all([scanner.stop(), plain.stop()]);
    await site.close();
  });

  const outcome = ({ findings }: CheckedPage, rule: string) => (["violations", "incomplete", "passes"] as const).find((category) => findings[category].some(({ ruleId }) => ruleId === rule));
  const judge = async (by: typeof scanner, path: string, rule: string) => outcome(await checkWhole(by, { url: site.url(path), rules: { only: [rule] } }), rule);

  it.concurrent.each(CASES.map((each, index) => ({ ...each, index })))("$rule: $right", async ({ rule, index }) => {
    expect(await judge(scanner, `/right${index}`, rule)).toBe("passes");
    expect(await judge(scanner, `/wrong${index}`, rule)).toBe("violations");
    expect(await judge(plain, `/right${index}`, rule)).toBe("violations");
  });
});
