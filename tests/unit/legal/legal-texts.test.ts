import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readEnv } from "~/platform/env.server";
import { startWarnings } from "~/server/process/start-warnings.server";
import { readMarkdown } from "~/legal/markdown.server";
import { openLegalTexts } from "~/legal/legal-texts.server";
import { writeLetter } from "~/mail/letters.server";

const baseUrl = "https://rampe.example";
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), "rampe-legal-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe("an operator's text in Markdown", () => {
  it("its first heading is the page's heading, and the others follow below it, without gaps", () => {
    const { title, blocks } = readMarkdown("# Terms of *Ada*\n\n### Scope\n\n##### Deep\n\n### Prices\n\nText.");
    expect(title).toBe("Terms of Ada");
    expect(blocks.map((block) => (block.kind === "heading" ? block.level : block.kind))).toEqual([2, 3, 2, "paragraph"]);
  });

  it("can have paragraphs, lists and emphasis", () => {
    expect(readMarkdown("One **two**\\\nthree\n\n3. a\n4. b\n\n- c").blocks).toEqual([
      { kind: "paragraph", children: ["One ", { kind: "strong", children: ["two"] }, { kind: "break" }, "three"] },
      {
        kind: "list",
        start: 3,
        items: [[{ kind: "paragraph", children: ["a"] }], [{ kind: "paragraph", children: ["b"] }]],
      },
      { kind: "list", start: null, items: [[{ kind: "paragraph", children: ["c"] }]] },
    ]);
  });

  it("HTML in it is shown as text", () => {
    expect(readMarkdown("<script>alert(1)</script>\n\nA <b onclick=x>word</b><!-- note -->").blocks).toEqual([
      { kind: "paragraph", children: ["<script>alert(1)</script>"] },
      { kind: "paragraph", children: ["A <b onclick=x>word</b>"] },
    ]);
  });

  it.each(["javascript:alert(1)", "JaVaScRiPt:alert(1)", "data:text/html,x", "//evil.example", "vbscript:x"])("does not link to %s", (href) => {
    expect(readMarkdown(`[word](${href}) [other][1]\n\n[1]: ${href}`).blocks).toEqual([
      { kind: "paragraph", children: ["word other"] },
    ]);
  });

  it.each(["https://example.org/a", "mailto:a@example.org", "tel:+49301", "/imprint"])("links to %s", (href) => {
    expect(readMarkdown(`[word][1]\n\n[1]: ${href}`).blocks).toEqual([
      { kind: "paragraph", children: [{ kind: "link", href, children: ["word"] }] },
    ]);
  });
});

describe("an operator's texts about purchases", () => {
  it("are named if they are missing, and have no link", () => {
    const legal = openLegalTexts({ folder, baseUrl, addresses: {} });
    expect(legal.missing).toEqual(["OPERATOR_TERMS_URL", "OPERATOR_WITHDRAWAL_URL", "OPERATOR_VAT"]);
    expect(legal.links("de")).toEqual({ terms: null, withdrawal: null });
    expect(legal.document("terms", "de")).toBeNull();
    expect(legal.lines("de")).toEqual([]);
  });

  it("are requested at the start if something is sold, and only then", () => {
    const { missing } = openLegalTexts({ folder, baseUrl, addresses: { terms: "https://ada.example/agb" } });
    const warned = (env: Record<string, string>, names = missing) => startWarnings(readEnv(env), names).join("\n");
    expect(warned({ STRIPE_SECRET_KEY: "sk_test_1" })).toContain("OPERATOR_WITHDRAWAL_URL, OPERATOR_VAT are missing");
    expect(warned({ STRIPE_SECRET_KEY: "sk_test_1" }, [])).not.toContain("OPERATOR_VAT");
    expect(warned({ BILLING: "demo" })).not.toContain("OPERATOR_VAT");
    expect(warned({ BILLING: "off" })).not.toContain("OPERATOR_VAT");
  });

  it("come from files, in the reader's language if available", () => {
    writeFileSync(path.join(folder, "terms.de.md"), "# AGB der Ada GmbH\n\nText.");
    writeFileSync(path.join(folder, "terms.en.md"), "Text.");
    writeFileSync(path.join(folder, "withdrawal.de.md"), "## Widerruf");
    const legal = openLegalTexts({ folder, baseUrl, addresses: {}, vat: "included" });
    expect(legal.missing).toEqual([]);
    expect(legal.links("de")).toEqual({ terms: "/agb", withdrawal: "/widerruf" });
    expect(legal.links("en")).toEqual({ terms: "/terms", withdrawal: "/withdrawal" });
    expect(legal.document("terms", "de")).toMatchObject({ title: "AGB der Ada GmbH", locale: "de" });
    expect(legal.document("terms", "en")).toMatchObject({ title: null, locale: "en" });
    expect(legal.document("withdrawal", "en"), "better than none").toMatchObject({ locale: "de" });
  });

  it("may be at an address, which takes precedence over a file", () => {
    const legal = openLegalTexts({ folder, baseUrl, addresses: { terms: "https://ada.example/agb" }, vat: "none" });
    expect(legal.links("en").terms).toBe("https://ada.example/agb");
    expect(legal.address("terms")).toBe("https://ada.example/agb");
  });

  it("follow below letters about orders, with absolute addresses", () => {
    const legal = openLegalTexts({ folder, baseUrl, addresses: { terms: "https://ada.example/agb" }, vat: "none" });
    const { text } = writeLetter("invoice", "de", { number: "1" }, legal.lines("de"));
    expect(text).toContain("Gemäß §\u00a019 UStG wird keine Umsatzsteuer berechnet.\n\n");
    expect(text).toContain("Allgemeine Geschäftsbedingungen: https://ada.example/agb\n\n");
    expect(text).toContain("Widerrufsbelehrung: https://rampe.example/widerruf\n\nFreundliche Grüße");
  });
});
