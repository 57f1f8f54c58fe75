import { expect, test } from "vitest";
import { issueText } from "~/reports/issue-text.server";

const ISSUE: Parameters<typeof issueText>[0] = {
  problem: { text: "Bilder ohne Beschreibung", lang: "de" },
  impact: "critical",
  criteria: ["1.1.1 Nicht-Text-Inhalt"],
  ruleId: "image-alt",
  todo: "Beschreiben Sie jedes Bild.",
  element: { target: "#logo", html: '<img id="logo">', htmlCut: false, fixes: [{ heading: "Beheben Sie:", items: [{ text: "Kein alt-Attribut", lang: "de" }] }] },
  fix: null,
  place: { context: { role: "img", name: "", landmark: { role: "navigation", name: "" }, heading: "Angebote" }, isWholePage: false },
  pageUrl: "https://shop.example/kasse?x=1",
  reportUrl: "https://rampe.example/run/1/violations/image-alt/1/0",
  foundAt: Date.UTC(2026, 10, 21),
};

test("a ticket says what, where, why and what to do, in the reader's language", () => {
  const text = issueText(ISSUE, "de");
  expect(text.startsWith("# Bilder ohne Beschreibung: `/kasse?x=1`\n\n- Seite: `https://shop.example/kasse?x=1`\n- Stelle: Bild, in der Navigation, unter der Überschrift `Angebote`\n- CSS-Selektor: `#logo`\n")).toBe(true);
  for (const part of ["WCAG 1.1.1", "Schweregrad: kritisch", "Beschreiben Sie jedes Bild.", '```html\n<img id="logo">\n```', "<https://rampe.example/run/1/", "21. November 2026"]) expect(text).toContain(part);
  expect(issueText({ ...ISSUE, reportUrl: null }, "en")).not.toContain("rampe.example");
});

test("texts of the page stay code, whatever they contain", () => {
  const hostile = "@everyone ![x](https://evil.example) `` ``` </details>\n# Heading";
  const text = issueText({ ...ISSUE, place: { context: { role: "link", name: hostile }, isWholePage: false }, element: { ...ISSUE.element, target: "`", html: "<b>\n````\n# Heading\n@everyone" } }, "en");
  expect(text).toContain("- Place: link ````@everyone ![x](https://evil.example) `` ``` </details> # Heading````");
  expect(text).toContain("- CSS selector: `` ` ``");
  expect(text).toContain("`````html\n<b>\n````\n# Heading\n@everyone\n`````");
  // No text of the page outside of code.
  expect(text.replace(/(`+)html\n[^]*?\n\1/g, "").replace(/(?<!`)(`+)(?!`)[^]*?(?<!`)\1(?!`)/g, "")).not.toMatch(/@everyone|evil/);
});

test("the proposal is part of it: the markup afterwards, or colours with enough contrast", () => {
  const markup = issueText({ ...ISSUE, fix: { kind: "markup", before: [], after: [{ text: '<img id="logo" ', changed: false }, { text: 'alt=""', changed: true }, { text: ">", changed: false }], notes: [] } }, "de");
  expect(markup).toContain('Künftig:\n\n```html\n<img id="logo" alt="">\n```');
  const pair = { kind: "colors", foreground: "#999999", background: "#ffffff", ratio: 2.84, required: 4.5, bold: false, newForeground: { color: "#767676", ratio: 4.542 }, newBackground: null } as const;
  expect(issueText({ ...ISSUE, fix: pair }, "en")).toMatch(/^- .*: .*`#767676`, .*`#ffffff`, .*4\.54:1$/m);
});
