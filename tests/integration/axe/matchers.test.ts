import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Browser } from "puppeteer";
import { readAxeSource } from "~/scan/rules/axe-source";
import type { Axe, Matcher, VirtualNode } from "~/scan/rules/axe-internals";
import { patchAxeTextBlockMatcher } from "~/scan/rules/text-blocks";
import { openIsolatedWorld, type IsolatedWorld } from "~/scan/page/isolated-world";
import { openBrowser } from "../../support/browser/browser";
import { randomMarkup } from "../../support/scan/random-markup";
import { repetitions } from "../../support/repetitions";

const DOCUMENTS = repetitions(200, 600);

describe("our matchers give the same answers as axe-core's own, for every element", () => {
  let browser: Browser;
  let isolatedWorld: IsolatedWorld;

  beforeAll(async () => {
    browser = await openBrowser();
    const page = await browser.newPage();
    await page.setContent("<!doctype html><title>Matchers</title>");
    const session = await page.createCDPSession();
    const { frameTree } = await session.send("Page.getFrameTree");
    isolatedWorld = await openIsolatedWorld(session, frameTree.frame.id);
    await isolatedWorld.evaluate(readAxeSource().script);
    await isolatedWorld.call(keepOwnMatchers);
    await isolatedWorld.call(patchAxeTextBlockMatcher);
  });
  afterAll(() => browser.close());

  it(`in ${DOCUMENTS} random documents`, async () => {
    const sum = { asked: 0, yes: 0 };
    for (let seed = 0; seed < DOCUMENTS; seed += 1) {
      const markup = randomMarkup(seed);
      const { asked, yes, differences } = await isolatedWorld.call(compareMatchers, markup);
      expect({ seed, differences }).toEqual({ seed, differences: [] });
      sum.asked += asked;
      sum.yes += yes;
    }
    // Control: there were matches.
    expect(sum.asked).toBeGreaterThan(DOCUMENTS * 10);
    expect(sum.yes).toBeGreaterThan(DOCUMENTS);
    expect(sum.asked - sum.yes).toBeGreaterThan(DOCUMENTS);
  });

  it.each([
    ["a link in text", "<p>text <a href=#>link</a> text", "no wonder"],
    ["links after a line break", "<p>much text here<br><a href=#>first</a> <a href=#>second</a>", "alone"],
    ["a link around a block", "<p>text <a href=#>in <span style='display: block'>block</span></a> text", "split"],
    ["links between inner blocks", "<div>text<div>x</div><a href=#>a</a> b<div>y</div>much more text</div>", "b"],
    ["a link in a hidden part", "<p>text <span style='opacity: 0'><a href=#>link</a></span> rest", "unseen"],
    ["a link in a widget", "<p>text <span role=button>in <a href=#>link</a></span> rest", "swallowed"],
    ["a line break as a link", "<p>text <br role=link tabindex=0> rest", "itself"],
    ["a link in a slot's default content", shadow("text <slot>own <a href=#>link</a></slot>"), "stumbles"],
    ["a slotted link", `<p>${shadow("text <slot></slot> rest", "<a href=#>link</a>")}</p>`, "from outside"],
  ])("for %s", async (_what, markup) => {
    const { asked, differences } = await isolatedWorld.call(compareMatchers, markup);
    expect(asked).toBeGreaterThan(0);
    expect(differences).toEqual([]);
  });
});

function shadow(inside: string, light = ""): string {
  return `<span><template shadowrootmode="open">${inside}</template>${light}</span>`;
}

interface OwnMatchers {
  axe: Axe & { setup(): void; _tree: VirtualNode[] };
  own: Record<string, Matcher>;
}

function keepOwnMatchers(): void {
  const here = globalThis as unknown as OwnMatchers;
  here.own = {};
  for (const rule of here.axe._audit.rules) here.own[rule.id] = rule.matches.bind(rule);
}

/** Runs both matchers on every element of a document. */
function compareMatchers(markup: string): { asked: number; yes: number; differences: string[] } {
  const { axe, own } = globalThis as unknown as OwnMatchers;
  (document.body as HTMLElement & { setHTMLUnsafe(html: string): void }).setHTMLUnsafe(markup);
  axe.teardown();
  axe.setup();
  const differences: string[] = [];
  let asked = 0;
  let yes = 0;
  const open = [...axe._tree];
  for (let node = open.pop(); node; node = open.pop()) {
    open.push(...node.children);
    if (node.actualNode instanceof Element) compare(node, node.actualNode);
  }
  return { asked, yes, differences };

  function compare(node: VirtualNode, element: Element) {
    for (const id of ["link-in-text-block", "target-size"]) {
      const rule = axe._audit.rules.find((each) => each.id === id);
      const ours = answer(() => rule?.matches(element, node));
      const axes = answer(() => own[id]?.(element, node));
      asked += 1;
      if (ours === true) yes += 1;
      if (ours !== axes) differences.push(`${id}: ours ${ours}, axe ${axes}: ${element.outerHTML}`);
    }
  }

  function answer(ask: () => boolean | undefined) {
    try {
      return ask();
    } catch (error) {
      return String(error);
    }
  }
}
