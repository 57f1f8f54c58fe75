import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import puppeteer, { type Browser } from "puppeteer";
import criteria from "locales/en/criteria.json";
import texts from "locales/en/rules.json";
import { openIsolatedWorld } from "~/scan/page/isolated-world";
import { readAxeSource } from "~/scan/rules/axe-source";
import { PAGE_RULES } from "~/scan/rules/rampe/index";
import { rulesScript } from "~/scan/rules/rampe/script";
import { browserPath } from "../support/scan/scanner";
import { below, conclude, figure, introduce, median, round, spread } from "./support/figures";
import { readOptions, turns } from "./support/options";

/*
 * Cost of each page before its first rule runs: each has a new process, which must receive and compile axe-core and our
 * rules. Both variants alternate: packaged axe-core, and axe-core as we load it. Needs no build.
 *
 *   npx tsx tests/bench/new-process.ts [--rounds 12]
 */
const { rounds } = readOptions({ rounds: 12, flags: [] });
const packaged = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const ours = readAxeSource().script;
const ownRules = rulesScript(PAGE_RULES, { ...texts, criteria });

introduce("Loading the rules into new processes", { rounds, "characters of axe-core": ours.length, "characters of our rules": ownRules.length });

const browser = await puppeteer.launch({ executablePath: browserPath(), headless: "shell", args: process.getuid?.() === 0 ? ["--no-sandbox"] : [] });
const ms: Record<string, number[]> = {};
try {
  for (let round = 0; round < rounds; round += 1) {
    const ways = [() => load(browser, "axe-core as packaged", packaged), () => load(browser, "axe-core as we load it", ours, ownRules)];
    for (const way of turns(round, ways)) await way();
  }
} finally {
  await browser.close();
}

conclude([
  ...Object.entries(ms).map(([what, values]) => figure(`${what}, ms`, spread(values))),
  below("axe-core, ours / packaged (medians)", median(ms["axe-core as we load it"] ?? []) / median(ms["axe-core as packaged"] ?? []), 1),
  figure("our rules / axe-core (medians)", round(median(ms["our rules"] ?? []) / median(ms["axe-core as we load it"] ?? []))),
]);

/** Measures in a new process, then in another document of the same process. */
async function load(browser: Browser, what: string, axe: string, own?: string): Promise<void> {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  const session = await page.createCDPSession();
  const { frameTree } = await session.send("Page.getFrameTree");
  for (const again of ["", ", again"]) {
    await page.goto(`about:blank?${again.length}`);
    const world = await openIsolatedWorld(session, frameTree.frame.id);
    const timed = async (name: string, script: string) => {
      const began = performance.now();
      await world.evaluate(script);
      (ms[name + again] ??= []).push(performance.now() - began);
    };
    if (!again) await timed("a comment as long as axe-core", `/*${"x".repeat(axe.length)}*/`);
    await timed(what, axe);
    if (own) await timed("our rules", own);
  }
  await context.close();
}
