import { afterAll, describe, expect, it } from "vitest";
import criteria from "locales/en/criteria.json";
import texts from "locales/en/rules.json";
import type { Category, CheckedPage, PageRequest } from "~/scan/types";
import { checkWhole } from "../../support/scan/judge-page";
import { testScanner } from "../../support/scan/scanner";
import { openSite } from "../../support/scan/site";

const scanner = testScanner({ ruleTexts: { ...texts, criteria } });
afterAll(() => scanner.stop());

const pageOf = (body: string) => `<!doctype html><html lang="en"><title>Ticket office</title><main>${body}</main></html>`;
const inDark = (rules: string) => `<style>@media (prefers-color-scheme: dark) { ${rules} }</style>`;

async function check(body: string, request: Partial<PageRequest> = {}, tries?: number): Promise<CheckedPage> {
  const site = await openSite({ "/": pageOf(body), "/dark": pageOf("<p>Gone</p>") });
  try {
    return await checkWhole(scanner, { url: site.url("/"), advanced: true, ...request }, tries);
  } finally {
    await site.close();
  }
}

const found = ({ findings }: CheckedPage, ruleId: string, category: Category = "violations") =>
  findings[category].filter((rule) => rule.ruleId === ruleId).flatMap(({ elements }) => elements.map(({ target, conditions }) => [target.join(" "), conditions]));

describe("a page in dark colours", () => {
  it("is judged by its contrast there", async () => {
    const page = await check(`${inDark("body { background: #222; color: #444 } #both { color: #333 }")}<p id="dark">Opening hours</p><p id="both" style="background: #222; color: #333">Prices</p>`);
    expect(found(page, "color-contrast")).toEqual([
      ["#both", ["desktop", "dark"]],
      ["#dark", ["dark"]],
    ]);
    expect(page.findings.violations.find(({ ruleId }) => ruleId === "color-contrast")).toMatchObject({ elementCount: 2, conditions: ["desktop", "dark"] });
    expect(page.partial).toEqual([]);
  });

  it("has nothing more to say if it has light colours alone", async () => {
    const page = await check(`<p id="low" style="color: #ccc">Opening hours</p>`);
    expect(found(page, "color-contrast")).toEqual([["#low", undefined]]);
    expect(JSON.stringify(page.findings)).not.toContain('"dark"');
    expect(page.partial).toEqual([]);
  });

  it("is judged by all rules where something can be seen there alone", async () => {
    const page = await check(`<style>#night { display: none }</style>${inDark("#day { display: none } #night { display: inline }")}<img id="day" alt="Station" src="/day.png"><img id="night" src="/night.png"><p>Opening hours</p>`);
    expect(found(page, "image-alt")).toEqual([["#night", ["dark"]]]);
    expect(page.partial).toEqual([]);
  });

  it("passes there where its colours are good in both", async () => {
    const page = await check(`${inDark("body { background: #222; color: #eee }")}<p>Opening hours</p>`);
    expect(page.findings.passes.find(({ ruleId }) => ruleId === "color-contrast")?.conditions).toEqual(["desktop", "dark"]);
    expect(found(page, "color-contrast")).toEqual([]);
  });

  it("is judged with what its scripts make of it", async () => {
    const page = await check(`<style>.night { background: #222; color: #555 }</style><p id="dark">Opening hours</p>
      <script>matchMedia("(prefers-color-scheme: dark)").addEventListener("change", ({ matches }) => document.body.classList.toggle("night", matches))</script>`);
    expect(found(page, "color-contrast")).toEqual([["#dark", ["dark"]]]);
  });

  it("is judged when its colours have passed into the others", async () => {
    const page = await check(`<style>body { background: #fff; color: #222 } * { transition: color 0.4s, background-color 0.4s }</style>${inDark("body { background: #222; color: #eee }")}<p>Opening hours</p>`);
    expect(found(page, "color-contrast")).toEqual([]);
    expect(page.findings.passes.find(({ ruleId }) => ruleId === "color-contrast")?.conditions).toEqual(["desktop", "dark"]);
  });

  it.each([
    ["its style", "<style>:root { color-scheme: light dark }</style>"],
    ["a meta element", `<meta name="color-scheme" content="light dark">`],
  ])("is judged on the dark background of the browser, which it asks for by %s", async (_what, markup) => {
    const page = await check(`${markup}<p>Opening hours</p><p id="black" style="color: #000">Prices</p>`);
    expect(found(page, "color-contrast")).toEqual([["#black", ["dark"]]]);
  });

  it("is measured on pictures where styles do not tell", async () => {
    const page = await check(`<style>#on { color: #000; background: linear-gradient(#ddd, #eee) }</style>${inDark("#on { color: #fff; background: linear-gradient(#ddd, #eee) }")}<p id="on">Opening hours</p>`);
    expect(found(page, "rampe-drawn-contrast")).toEqual([["#on", ["dark"]]]);
    expect(page.findings.passes.find(({ ruleId }) => ruleId === "rampe-drawn-contrast")?.conditions).toBeUndefined();
    expect(found(page, "color-contrast", "incomplete")).toEqual([]);
  });

  it("is pictured dark", async () => {
    const isPictured = async () => {
      const page = await check(`${inDark("body { background: #222; color: #444 }")}${"<p style='background: #fff; color: #ccc'>Prices</p>".repeat(4)}<p id="dark">Opening hours</p>`, { pictures: true });
      const elements = page.findings.violations.find(({ ruleId }) => ruleId === "color-contrast")?.elements ?? [];
      return elements.find(({ target }) => target.join() === "#dark")?.picture !== undefined;
    };
    // On a busy machine the time for pictures may be over before the first one.
    await expect.poll(isPictured).toBe(true);
  });

  it("is shown in light colours again afterwards", async () => {
    const page = await check(`${inDark("body { background: #222; color: #eee }")}<p>Opening hours</p><button id="trap">Redeem</button>
      <script>
        trap.addEventListener("keydown", (event) => {
          const isLight = !matchMedia("(prefers-color-scheme: dark)").matches && getComputedStyle(document.documentElement).backgroundColor === "rgba(0, 0, 0, 0)";
          if (isLight) event.preventDefault();
        });
      </script>`, {}, 1);
    // The button is a trap only in the restored original state.
    expect(found(page, "rampe-keyboard-trap")).toEqual([["#trap", undefined]]);
  });

  it("is not judged there for one rule that has nothing to do with colours", async () => {
    const page = await check(`${inDark("body { background: #222; color: #333 }")}<p>Opening hours</p>`, { rules: { only: ["image-alt"] } });
    expect(Object.values(page.findings).flat().map(({ ruleId }) => ruleId)).toEqual(["image-alt"]);
  });

  it.each([
    ["colours that pass into others for ever", `<style>body { background: #fff; color: #222; transition: color 1000s, background-color 1000s }</style>${inDark("body { background: #222; color: #eee }")}`],
    ["another page", `<script>matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { location = "/dark" })</script>`],
    ["a script that never lets go", `<script>matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { for (;;); })</script>`],
  ])("keeps its other results, and says that it was not judged there: %s", async (_what, body) => {
    const page = await check(`<img width="40" height="40" src="data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA="><p id="low" style="background: #fff; color: #ccc">Prices</p>${body}`, { rules: { only: ["image-alt", "color-contrast"] } }, 1);
    expect(page.findings.violations.map(({ ruleId }) => ruleId)).toContain("image-alt");
    expect(found(page, "color-contrast")).toEqual([["#low", undefined]]);
    expect(page.partial).toContain("color-contrast");
    expect(page.durationMs).toBeLessThan(60_000);
  });
});
