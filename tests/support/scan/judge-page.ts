import { strictEqual } from "node:assert";
import type { CDPSession, Page } from "puppeteer";
import { openIsolatedWorld, type IsolatedWorld } from "~/scan/page/isolated-world";
import { confirmSkipped } from "~/scan/interaction/confirm-skipped";
import { expectStops } from "~/scan/interaction/skipped-stops";
import { openAppearances } from "~/scan/conditions/condition";
import { noteFixedBars } from "~/scan/conditions/fixed-bars";
import { noteDrawings, rememberDrawings } from "~/scan/conditions/drawing-facts";
import { confirmFacts, hasFacts, noteLayout, rememberLayout, repeatFacts } from "~/scan/conditions/layout-facts";
import { defineExcuses } from "~/scan/conditions/cover-excuses";
import { defineCovers, HIT_TESTS } from "~/scan/conditions/covers";
import { defineMeasures, LOSS } from "~/scan/conditions/measures";
import { defineMeetings } from "~/scan/conditions/meetings";
import { findEmptyForms, submitEmptyForms } from "~/scan/interaction/empty-forms";
import { findTypable } from "~/scan/interaction/typed-text";
import { typeInForms } from "~/scan/interaction/type-in-forms";
import { walkBack, walkByKeyboard } from "~/scan/interaction/keyboard-walk";
import { pictureFocus, pictureHiddenFocus } from "~/scan/interaction/picture-focus";
import { definePause } from "~/scan/page/pause";
import { readAxeSource } from "~/scan/rules/axe-source";
import { CONDITION_OF, KEY_RULES, PAGE_RULES, WATCHED_RULES } from "~/scan/rules/rampe/index";
import { detectLanguages } from "~/scan/rules/rampe/languages/detect";
import { collectListeners } from "~/scan/rules/rampe/listeners/collect-listeners";
import { awaitSound } from "~/scan/rules/rampe/media/await-sound";
import { collectAnimatedImages } from "~/scan/rules/rampe/media/collect-animated-images";
import { collectTimeLimits } from "~/scan/rules/rampe/timing/collect-time-limits";
import { rulesScript } from "~/scan/rules/rampe/script";
import criteria from "locales/en/criteria.json";
import texts from "locales/en/rules.json";
import type { Category, CheckedPage, Condition, PageRequest, Scanner, Standard } from "~/scan/types";
import type { RuleCase } from "./rule-cases";
import { expectChecked, WCAG22AA } from "./scanner";

/** Result as reported by axe-core. */
interface RuleResult {
  id: string;
  nodes: { any: { message: string }[] }[];
}

interface Judged {
  outcome: RuleCase["expected"];
  /** Messages of failures and questions. */
  messages: string[];
}

const scripts = [readAxeSource().script, rulesScript(PAGE_RULES, { ...texts, criteria })];

/** Outcome of one rule on the loaded document, by axe-core with our own rules; without a scanner, in a few ms. */
export async function judgePage(page: Page, ruleId: string): Promise<Judged> {
  const session = await sessionOf(page);
  const { frameTree } = await session.send("Page.getFrameTree");
  const inner = frameTree.childFrames?.filter(({ frame }) => frame.url === "about:srcdoc") ?? [];
  const worlds = await Promise.all([frameTree, ...inner].map(({ frame }) => openIsolatedWorld(session, frame.id)));
  await Promise.all(worlds.map(load));
  const [main] = worlds;
  if (!main) throw new Error("The page has no document.");
  await detectLanguages(main);
  await main.call(definePause);
  for (const collect of [collectListeners, collectAnimatedImages, collectTimeLimits, awaitSound]) await collect(main, new AbortController().signal);
  const showAsBefore = await showInCondition(main, ruleId);
  const judged = await main.call(judge, ruleId, inner.length > 0);
  await showAsBefore?.();
  return judged;
}

/** Shows the page in the condition of a rule, like a visit. @returns a function that restores the page, if necessary */
async function showInCondition(main: IsolatedWorld, ruleId: string): Promise<(() => Promise<void>) | undefined> {
  const condition: Condition | undefined = CONDITION_OF.get(ruleId);
  const connection = { requests: () => 0, missed: () => 0, takeLeaving: () => undefined };
  const { signal } = new AbortController();
  if (condition === "keyboard") {
    await main.call(expectStops);
    const { isWhole } = await walkByKeyboard(main, connection, signal);
    await walkBack(main, connection, signal);
    if (isWhole && ruleId === "rampe-skipped-control") await confirmSkipped(main, connection, signal);
    await pictureFocus(main, signal, { alsoOutlined: ruleId === "rampe-focus-appearance" });
    if (ruleId === "rampe-unseen-focus") await pictureHiddenFocus(main, signal);
  }
  if (condition === "forms") {
    await main.call(definePause);
    await submitEmptyForms(main, connection, (await findEmptyForms(main)).kept, signal);
    if (ruleId === "rampe-typed-text-kept") await typeInForms(main, connection, await main.call(findTypable), signal);
  }
  if (!condition || condition === "keyboard" || condition === "landscape" || condition === "hover" || condition === "opened" || condition === "forms") return undefined;
  await main.call(defineMeasures, LOSS);
  await main.call(defineMeetings);
  await main.call(defineExcuses);
  await main.call(defineCovers, HIT_TESTS);
  await main.call(rememberLayout);
  await main.call(rememberDrawings);
  const { show, showUsual } = await openAppearances(main);
  await show(condition);
  if (condition === "forced-colors") await main.call(noteDrawings);
  else await main.call(noteLayout, condition, LOSS);
  if (condition === "phone") await main.call(noteFixedBars, 50);
  if (await main.call(hasFacts)) {
    await showUsual();
    await main.call(confirmFacts);
    await show(condition);
    await main.call(repeatFacts);
  }
  return showUsual;
}

/** Sessions by page: a document with new content keeps its world and axe-core. */
const sessions = new WeakMap<Page, Promise<CDPSession>>();

function sessionOf(page: Page): Promise<CDPSession> {
  const session = sessions.get(page) ?? page.createCDPSession();
  sessions.set(page, session);
  return session;
}

async function load(world: IsolatedWorld): Promise<void> {
  if (await world.call(() => (globalThis as { axe?: unknown }).axe !== undefined)) return;
  for (const script of scripts) await world.evaluate(script);
}

/** Whether a rule measures on pictures after all others, so that only a scan can test it. */
export const isMeasured = (ruleId: string): boolean => ruleId.startsWith("rampe-drawn-contrast");

/** Whether only a scan can test a rule: it needs pictures, the clock or the cut connection of a visit. */
export const needsScan = (ruleId: string): boolean => isMeasured(ruleId) || ruleId === "rampe-focus-context" || KEY_RULES.has(ruleId) || WATCHED_RULES.has(ruleId) || ["landscape", "hover", "opened"].includes(CONDITION_OF.get(ruleId) ?? "");

/** Checks a page, by default for level AA, and again if a busy machine left rules unfinished. */
export async function checkWhole(scanner: Scanner, request: Omit<PageRequest, "standard"> & { standard?: Standard }, tries = 5): Promise<CheckedPage> {
  const page = expectChecked(await scanner.check({ standard: WCAG22AA, ...request }));
  return page.partial.length > 0 && tries > 1 ? checkWhole(scanner, request, tries - 1) : page;
}

/** Outcome of one of our rules in an advanced scan of a page. */
export async function judgeByScan(scanner: Scanner, url: string, ruleId: string): Promise<Judged["outcome"]> {
  const { findings } = await checkWhole(scanner, { url, advanced: true, rules: { only: [ruleId] } });
  const has = (category: Category) => findings[category].some((rule) => rule.ruleId === ruleId);
  return has("violations") ? "failed" : has("incomplete") ? "asked" : has("passes") ? "passed" : "inapplicable";
}

/** Outcomes by severity. */
const OUTCOMES: Judged["outcome"][] = ["inapplicable", "passed", "asked", "failed"];
const JUDGED_WITHIN_MS = 90_000;

/** Expects an outcome of `judgeByScan`. A milder one is tried again, as effects may come too late on a busy machine; a false alarm fails at once. */
export async function expectByScan(scanner: Scanner, url: string, ruleId: string, expected: Judged["outcome"]): Promise<void> {
  const end = performance.now() + JUDGED_WITHIN_MS;
  for (;;) {
    const outcome = await judgeByScan(scanner, url, ruleId);
    const isMilder = OUTCOMES.indexOf(outcome) < OUTCOMES.indexOf(expected);
    if (isMilder && performance.now() < end) continue;
    strictEqual(outcome, expected);
    return;
  }
}

/** Runs inside the page. */
async function judge(id: string, iframes: boolean): Promise<Judged> {
  const { axe } = globalThis as unknown as { axe: { run(options: object): Promise<Record<string, RuleResult[]>> } };
  const results = await axe.run({ runOnly: [id], iframes, preload: false });
  const found = (category: string) => results[category]?.find((rule) => rule.id === id);
  const messages = [found("violations"), found("incomplete")].flatMap((rule) => rule?.nodes.map(({ any }) => any[0]?.message ?? "") ?? []);
  const outcome = found("violations") ? "failed" : found("incomplete") ? "asked" : found("passes") ? "passed" : "inapplicable";
  return { outcome, messages };
}
