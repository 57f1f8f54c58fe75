import { afterAll, describe, expect, it } from "vitest";
import criteria from "locales/en/criteria.json";
import texts from "locales/en/rules.json";
import type { CheckedPage } from "~/scan/types";
import { checkWhole } from "../../support/scan/judge-page";
import { expectChecked, testScanner, WCAG22AA } from "../../support/scan/scanner";
import { openSite, pageWith } from "../../support/scan/site";

const scanner = testScanner({ ruleTexts: { ...texts, criteria } });
afterAll(() => scanner.stop());

const repeat = (count: number, markup: (index: number) => string) => Array.from({ length: count }, (_, index) => markup(index)).join("");
const targets = ({ findings }: CheckedPage, category: "violations" | "incomplete", ruleId: string) => findings[category].find((rule) => rule.ruleId === ruleId)?.elements.map(({ target }) => target.join(" ")) ?? [];

const ICON = `<svg width="60" height="60"><path d="M2 30l56-28v56z"/></svg>`;
const MASKED = `style="border: 0; background: none; padding: 8px"><span style="display: block; width: 24px; height: 24px; background-color: #333; mask: linear-gradient(#000, #000) center / 20px 4px no-repeat"></span>`;

describe("a question about elements that look alike is asked once", () => {
  it.concurrent.each([
    {
      ruleId: "rampe-skipped-control",
      content: `<ul class="news">${repeat(5, (index) => `<li class="item-${index}"><a class="teaser" tabindex="-1" href="/news/${index}">News ${index}</a></li>`)}</ul><p class="advert"><a tabindex="-1" href="/advert">Advert</a></p>`,
      asked: 2,
    },
    {
      ruleId: "rampe-decorative-image",
      content: `${repeat(5, (index) => `<div class="menu"><h2>Menu ${index}</h2><p class="back">${ICON}</p></div>`)}<p class="logo">${ICON}</p><p class="back"><svg width="60" height="60"><circle cx="30" cy="30" r="28"/></svg></p>`,
      asked: 3,
    },
    {
      ruleId: "rampe-narrow-text",
      content: `<ul class="news" style="font: 16px/20px monospace">${repeat(4, (index) => `<li><a class="teaser" href="/news/${index}" style="display: block; max-height: 40px; overflow: hidden">News ${index} about working days from nine, holidays from ten and Sundays</a></li>`)}</ul>`,
      asked: 1,
    },
    {
      ruleId: "rampe-label-in-name",
      content: `<ul class="news">${repeat(4, (index) => `<li><a class="teaser" href="/news/${index}">News <span style="position: absolute; clip: rect(0 0 0 0)">of politics</span> number ${index}</a></li>`)}</ul>`,
      asked: 1,
    },
    { ruleId: "rampe-link-purpose", content: `<div class="social">${repeat(4, (index) => `<a class="icon" href="/social/${index}">&#xE09${index};</a>`)}</div>`, asked: 1 },
    { ruleId: "rampe-forced-colors", content: repeat(4, (index) => `<p class="tools"><button class="tool-${index}" aria-label="Tool ${index}" ${MASKED}</button></p>`), asked: 1 },
  ])("$ruleId", async ({ ruleId, content, asked }) => {
    const site = await openSite({ "/": pageWith(content) });
    try {
      const page = await checkWhole(scanner, { url: site.url("/"), advanced: true, rules: { only: [ruleId] } });
      expect(targets(page, "incomplete", ruleId)).toHaveLength(asked);
    } finally {
      await site.close();
    }
  });
});

describe("pictures of the focus, where there are too many elements for all", () => {
  const check = async (content: string, only: string[]) => {
    const site = await openSite({ "/": pageWith(content) });
    try {
      return expectChecked(await scanner.check({ url: site.url("/"), standard: WCAG22AA, advanced: true, rules: { only } }));
    } finally {
      await site.close();
    }
  };

  it("show one of each kind, and the rule about visible focus is unfinished", async () => {
    const links = repeat(25, (index) => `<li><a class="link" style="outline: none" href="/${index}">Page ${index}</a></li>`);
    // On a busy machine the time for pictures may be over before the button's.
    await expect
      .poll(async () => {
        const page = await check(`<ul class="list">${links}</ul><p class="end"><button style="outline: none">Send</button></p>`, ["rampe-focus-visible"]);
        return [targets(page, "violations", "rampe-focus-visible").includes("button"), page.partial];
      })
      .toEqual([true, ["rampe-focus-visible"]]);
  });

  it("show one of each kind of elements that nobody sees", async () => {
    const links = (name: string, count: number) => repeat(count, (index) => `<li><a href="/${name}/${index}">${name} ${index}</a></li>`);
    const away = `style="position: absolute; top: 0; left: -400px; width: 300px"`;
    await expect
      .poll(async () => {
        const page = await check(`<ul class="menu" ${away}>${links("Shop", 12)}</ul><p class="login" ${away}><a id="login" href="/login">Sign in</a></p>`, ["rampe-unseen-focus"]);
        return [targets(page, "violations", "rampe-unseen-focus").includes("#login"), page.partial];
      })
      .toEqual([true, ["rampe-unseen-focus"]]);
  });
});
