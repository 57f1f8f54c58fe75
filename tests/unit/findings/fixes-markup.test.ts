import { describe, expect, test } from "vitest";
import { textOf, type MarkupFix } from "~/findings/fixes/fix";
import { fixOf } from "~/findings/rules/catalogue.server";
import { readOpeningTag } from "~/findings/fixes/markup/opening-tag";
import type { Locale } from "~/platform/i18n/i18n";
import type { CheckOutcome } from "~/scan/types";
import { seeded } from "../../support/seeded";

function check(id: string, data: unknown = null): CheckOutcome {
  return { group: "any", id, data, message: "" };
}

function fixed(ruleId: string, html: string, checks: CheckOutcome[] = [], locale: Locale = "de"): MarkupFix | null {
  const fix = fixOf(ruleId, { html, htmlCut: false, checks }, locale);
  return fix?.kind === "markup" ? fix : null;
}

/** Markup after the fix; null if there is no fix. */
function after(...request: Parameters<typeof fixed>): string | null {
  const fix = fixed(...request);
  return fix && textOf(fix.after);
}

describe("the language of a page", () => {
  test("is the reader's if the page names none, with a note", () => {
    expect(after("html-has-lang", '<html class="js">')).toBe('<html lang="de" class="js">');
    expect(after("html-has-lang", "<html>", [], "en")).toBe('<html lang="en">');
    expect(after("html-has-lang", '<html lang="  ">')).toBe('<html lang="de">');
    expect(fixed("html-has-lang", "<html>")?.notes).toEqual(["language"]);
  });

  test("is the page's `xml:lang`, if there is one", () => {
    const fix = fixed("html-has-lang", '<html xml:lang="fr">');
    expect(fix && textOf(fix.after)).toBe('<html lang="fr" xml:lang="fr">');
    expect(fix?.notes).toEqual([]);
  });

  test.each([
    ["de_AT", "de-AT"],
    ["Deutsch", "de"],
    ["eng", "en"],
  ])("%s is corrected without a question", (written, meant) => {
    const fix = fixed("html-lang-valid", `<html lang="${written}">`, [check("valid-lang", [`lang="${written}"`])]);
    expect(fix && textOf(fix.after)).toBe(`<html lang="${meant}">`);
    expect(fix?.notes).toEqual([]);
  });

  test("is asked for if the value has no clear meaning", () => {
    const html = '<html lang="xy" xml:lang="de">';
    expect(after("html-lang-valid", html, [check("valid-lang", ['lang="xy"'])], "en")).toBe(
      '<html lang="en" xml:lang="de">',
    );
    expect(after("valid-lang", '<p lang="xy">', [check("valid-lang", ['lang="xy"'])])).toBe(
      '<p lang="[Sprachkürzel, etwa en]">',
    );
    expect(after("valid-lang", '<p lang="xy">')).toBeNull();
  });

  test("is the same for HTML and XML", () => {
    expect(after("html-xml-lang-mismatch", '<html lang="de-AT" xml:lang="en">')).toBe(
      '<html lang="de-AT" xml:lang="de-AT">',
    );
  });
});

describe("texts for images", () => {
  test("are proposed in the reader's language, and nothing else changes", () => {
    expect(fixed("image-alt", "<img  src='a.jpg'  class=x />")).toEqual({
      kind: "markup",
      before: [
        { text: "<img", changed: false },
        { text: "  src='a.jpg'  class=x />", changed: false },
      ],
      after: [
        { text: "<img", changed: false },
        { text: ' alt="[Beschreibung des Bildes]"', changed: true },
        { text: "  src='a.jpg'  class=x />", changed: false },
      ],
      notes: ["placeholder", "decorative"],
    });
    expect(after("image-alt", '<img alt=" " src="a.jpg">', [], "en")).toBe(
      '<img alt="[Description of the image]" src="a.jpg">',
    );
  });

  test.each([
    ["input-image-alt", '<input type="image">', '<input alt="[Was die Schaltfläche tut]" type="image">'],
    ["area-alt", '<area href="/a">', '<area alt="[Wohin der Link führt]" href="/a">'],
    ["role-img-alt", '<i role="img"></i>', '<i aria-label="[Beschreibung des Bildes]" role="img"></i>'],
    ["svg-img-alt", '<svg role="img"></svg>', '<svg aria-label="[Beschreibung des Bildes]" role="img"></svg>'],
    ["frame-title", "<iframe src=/map>", '<iframe title="[Was hier eingebettet ist]" src=/map>'],
    ["image-redundant-alt", '<img alt="Shop">', '<img alt="">'],
  ])("%s", (rule, html, expected) => {
    expect(after(rule, html)).toBe(expected);
  });
});

describe("labels of form fields", () => {
  test("refer to the field's id", () => {
    const fix = fixed("label", '<input id="mail" type="email">');
    expect(fix && textOf(fix.after)).toBe(
      '<label for="mail">[Beschriftung des Feldes]</label>\n<input id="mail" type="email">',
    );
    expect(fix?.notes).toEqual(["placeholder"]);
  });

  test("refer to a proposed id if it has none", () => {
    const fix = fixed("select-name", '<select name="billing[country]"><option>A</select>');
    expect(fix && textOf(fix.after)).toBe(
      '<label for="billing-country">[Beschriftung des Feldes]</label>\n' +
        '<select id="billing-country" name="billing[country]"><option>A</select>',
    );
    expect(fix?.notes).toContain("uniqueId");
    expect(after("label", "<textarea></textarea>")).toContain('for="feld"');
    expect(after("label", '<input id="" name="q">')).toContain('<input id="q" name="q">');
  });

  test("come after checkboxes", () => {
    expect(after("label", '<input type=CHECKBOX id="a&amp;b">')).toBe(
      '<input type=CHECKBOX id="a&amp;b">\n<label for="a&amp;b">[Beschriftung des Feldes]</label>',
    );
  });

  test("are not added if there is a hidden label, or another name that only fails", () => {
    expect(after("label", '<input id="a">', [check("hidden-explicit-label")])).toBeNull();
    expect(after("label", '<input id="a" aria-labelledby="gone">')).toBeNull();
  });
});

describe("names of buttons and links", () => {
  test.each([
    ["button-name", '<button class="x"> </button>', '<button class="x">[Was die Schaltfläche tut] </button>'],
    [
      "button-name",
      "<button><svg></svg></button>",
      '<button aria-label="[Was die Schaltfläche tut]"><svg></svg></button>',
    ],
    [
      "link-name",
      '<a href="/"><img src="logo.png"></a>',
      '<a href="/"><img alt="[Wohin der Link führt]" src="logo.png"></a>',
    ],
    [
      "link-name",
      '<a href="/"><span aria-hidden="true"><img src="a.png"></span></a>',
      '<a aria-label="[Wohin der Link führt]" href="/"><span aria-hidden="true"><img src="a.png"></span></a>',
    ],
    ["link-name", '<a aria-label="" href="/">→</a>', '<a aria-label="[Wohin der Link führt]" href="/">→</a>'],
    ["input-button-name", '<input type="submit" value="">', '<input type="submit" value="[Was die Schaltfläche tut]">'],
    ["aria-dialog-name", '<div role="dialog">', '<div aria-label="[Bezeichnung]" role="dialog">'],
  ])("%s: %s", (rule, html, expected) => {
    expect(after(rule, html)).toBe(expected);
  });
});

test("a page's title is inserted into its head", () => {
  expect(after("document-title", '<html lang="en">', [], "en")).toBe(
    "<head>\n  <title>[What this page is about – name of the website]</title>",
  );
});

describe("zoom", () => {
  test.each([
    ["width=device-width, initial-scale=1, user-scalable=no", "width=device-width, initial-scale=1"],
    ["width=device-width,maximum-scale=1.0,user-scalable=0,initial-scale=1", "width=device-width,initial-scale=1"],
    ["user-scalable=no, maximum-scale=1; width=device-width", "width=device-width"],
    ["width=device-width, maximum-scale=3, user-scalable=no", "width=device-width, maximum-scale=3"],
    ["User-Scalable=NO", "width=device-width, initial-scale=1"],
  ])("%s becomes %s", (content, allowed) => {
    const meta = (text: string) => `<meta name="viewport" content="${text}">`;
    expect(after("meta-viewport", meta(content))).toBe(meta(allowed));
  });

  test("is not changed if zoom is allowed, or the content is incomplete", () => {
    expect(after("meta-viewport", '<meta content="width=device-width, user-scalable=yes">')).toBeNull();
    expect(after("meta-viewport", '<meta content="width=device-width, user-scal...">')).toBeNull();
    expect(after("meta-viewport-large", '<meta content="width=320, maximum-scale=3">')).toBe('<meta content="width=320">');
  });
});

describe("attributes", () => {
  const important = [check("important-line-height"), check("important-letter-spacing")];
  test.each<[string, string, string, CheckOutcome[]?]>([
    ["tabindex", '<a href="/" tabindex="5">', '<a href="/" tabindex="0">'],
    ["tabindex", "<a href=/ tabindex=5>", '<a href=/ tabindex="0">'],
    ["scrollable-region-focusable", '<div class="x">', '<div tabindex="0" class="x">'],
    ["aria-hidden-body", '<body class="a" aria-hidden="true" id="b">', '<body class="a" id="b">'],
    ["no-autoplay-audio", "<video autoplay loop></video>", "<video loop></video>"],
    ["duplicate-id-aria", '<p id="hint">x</p>', '<p id="hint-2">x</p>'],
    [
      "aria-valid-attr",
      '<a ARIA-labeledby="x" aria-foo="1" href="/">',
      '<a aria-labelledby="x" href="/">',
      [check("aria-valid-attr", ["aria-labeledby", "aria-foo", "aria-foo", "not-there"])],
    ],
    [
      "aria-required-attr",
      '<div role="checkbox">',
      '<div aria-checked="[true oder false]" role="checkbox">',
      [check("aria-required-attr", ["aria-checked"])],
    ],
    [
      "aria-required-attr",
      '<div role="heading">',
      '<div aria-level="[Ebene von 1 bis 6]" role="heading">',
      [check("aria-required-attr", ["aria-level"])],
    ],
    [
      "aria-allowed-attr",
      '<div role="switch" aria-checked="TRUE">',
      '<div role="switch" aria-checked="true">',
      [check("aria-allowed-attr", { messageKey: "caseSensitive", values: ['aria-checked="TRUE"'] })],
    ],
    [
      "aria-conditional-attr",
      '<input type="checkbox" aria-checked="true">',
      '<input type="checkbox">',
      [check("aria-conditional-attr", { messageKey: "checkbox", checkState: "false" })],
    ],
    [
      "avoid-inline-spacing",
      '<p style="line-height: 1 !important; color: red !important; letter-spacing:0!IMPORTANT">',
      '<p style="line-height: 1; color: red !important; letter-spacing:0">',
      important,
    ],
    [
      "video-caption",
      '<video src="a.mp4"></video>',
      '<video src="a.mp4">\n  <track kind="captions" src="[untertitel.vtt]" srclang="de" label="Deutsch">\n</video>',
    ],
  ])("%s: %s", (rule, html, expected, checks) => {
    expect(after(rule, html, checks)).toBe(expected);
  });
});

describe("no fix is guessed", () => {
  test.each<[string, string, string, CheckOutcome[]?]>([
    ["a rule that needs more than markup", "heading-order", "<h3>x</h3>"],
    ["a rule that does not exist", "constructor", "<img>"],
    ["an element cut off within its tag", "image-alt", '<img src="a'],
    ["attributes omitted by axe-core", "label", '<input class="a" ...>'],
    ["an id shortened by axe-core", "label", '<input id="the-very-long-begin...">'],
    ["text instead of an element", "image-alt", "img"],
    ["empty markup", "image-alt", ""],
    ["an existing alternative text", "image-alt", '<img alt="x">'],
    ["unknown ARIA values", "aria-required-attr", "<p>", [check("aria-required-attr", ["aria-x"])]],
    ["ARIA attributes without data", "aria-valid-attr", '<p aria-x="">', [check("aria-valid-attr", { length: 1 })]],
    ["an attribute that the role does not allow", "aria-allowed-attr", '<p aria-checked="true">', [
      check("aria-allowed-attr", { messageKey: "singular", values: ['aria-checked="true"'] }),
    ]],
  ])("for %s", (_case, rule, html, checks) => {
    expect(fixed(rule, html, checks)).toBeNull();
  });

  test("of an element cut within its content, only the tag is shown", () => {
    const element = { html: '<select id="a"><option>1', htmlCut: true, checks: [] };
    const fix = fixOf("select-name", element, "en") as MarkupFix;
    expect(textOf(fix.before)).toBe('<select id="a">');
  });
});

describe("hostile markup", () => {
  const RULES = ["image-alt", "label", "link-name", "html-has-lang", "meta-viewport", "tabindex"]
    .concat("aria-hidden-body", "avoid-inline-spacing");
  const PARTS = ["<", ">", "/", "=", '"', "'", " ", "\n", "img", "input", "a", "alt", "id", "content", "style"]
    .concat("user-scalable=no", ",", ";", "!important", "\u202E", "\uD83D", "&quot;", "...");

  test("is only changed where the fix says so", () => {
    const random = seeded(7);
    const pick = (from: string[]) => from[Math.floor(random() * from.length)]!;
    const names = ["<img", "<input", "<a", "<html", "<meta content=", "<body aria-hidden=", '<p style="', "<A tabindex="];
    for (let round = 0; round < 3_000; round += 1) {
      const html = pick(names) + Array.from({ length: Math.floor(random() * 15) }, () => pick(PARTS)).join("");
      const fix = fixed(pick(RULES), html, [check("important-line-height")]);
      if (!fix) continue;
      expect(html.startsWith(textOf(fix.before)), html).toBe(true);
      const kept = (pieces: MarkupFix["before"]) => textOf(pieces.filter(({ changed }) => !changed));
      expect(kept(fix.after), html).toBe(kept(fix.before));
    }
  });

  test.each([
    ["white space", `<img ${" ".repeat(200_000)}`],
    ["names", `<img ${"a ".repeat(100_000)}`],
    ["quotes", `<img ${"a='\" ".repeat(50_000)}`],
    ["equals signs", `<img ${"=".repeat(200_000)}`],
    ["a style", `<img style="${":!".repeat(100_000)}">`],
  ])("made of %s is parsed quickly", (_case, html) => {
    // A backtracking parser would take hours.
    expect(readOpeningTag(html)?.name ?? null).toBe(html.endsWith(">") ? "img" : null);
  });
});
