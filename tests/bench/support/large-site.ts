import axe from "axe-core";
import type { CheckOutcome, ElementResult, FindingResult, Impact, PageResult } from "~/scan/types";
import { checkedPage, element, finding, uncheckedPage } from "../../support/database/page-results";

const RULES = axe.getRules(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]);
const rule = (ruleId: string) => RULES.find((each) => each.ruleId === ruleId) ?? RULES[0]!;

/** Problems of every page, with their impact; those with `UNDECIDED` need a person's decision. */
const BROKEN: [string, Impact, string][] = [
  ["image-alt", "critical", '<img src="/media/cache/products/large/chair-{n}.jpg" class="product-card__image" width="320" height="240">'],
  ["label", "critical", '<input type="text" name="quantity[{n}]" class="form-control form-control--small" placeholder="1">'],
  ["button-name", "critical", '<button class="icon-button icon-button--wishlist" data-product="{n}"><svg viewBox="0 0 24 24">…</svg></button>'],
  ["color-contrast", "serious", '<span class="price price--old" data-sku="{n}">statt 129,00 €</span>'],
  ["link-name", "serious", '<a href="/products/{n}" class="product-card__link" tabindex="-1"></a>'],
  ["list", "serious", '<ul class="breadcrumb breadcrumb--{n}"><div class="breadcrumb__item">Start</div></ul>'],
  ["target-size", "serious", '<a href="#slide-{n}" class="carousel__dot"></a>'],
  ["html-has-lang", "serious", "<html>"],
];
const UNDECIDED: [string, Impact, string][] = [
  ["aria-hidden-focus", "serious", '<div aria-hidden="true" class="teaser teaser--{n}">'],
  ["video-caption", "critical", '<video src="/media/intro-{n}.mp4" controls></video>'],
];

const CONTRAST: CheckOutcome = {
  group: "any",
  id: "color-contrast",
  data: {
    ...{ fgColor: "#9a9a9a", bgColor: "#ffffff", contrastRatio: 2.81, fontSize: "10.5pt (14px)", fontWeight: "normal" },
    ...{ messageKey: null, expectedContrastRatio: "4.5:1" },
  },
  message:
    "Element has insufficient color contrast of 2.81 (foreground color: #9a9a9a, background color: #ffffff, font size: 10.5pt (14px), font weight: normal). Expected contrast ratio of 4.5:1",
};

/**
 * Results of a shop whose pages share most problems, as usual.
 * @param elements number of violating elements on each page
 */
export function largeSite({ pages, elements }: { pages: number; elements: number }): PageResult[] {
  return Array.from({ length: pages }, (_, index) => {
    const url = `https://www.moebelhaus-nordlicht.example/katalog/wohnen/${index === 0 ? "" : `stuehle-und-sessel-${index}`}`;
    if (index % 40 === 39) return uncheckedPage({ url, reason: "http_status", detail: { httpStatus: 503 } });
    const each = Math.ceil(elements / BROKEN.length);
    const violations = BROKEN.map(([ruleId, impact, html]) => found(ruleId, impact, html, each, index));
    const incomplete = UNDECIDED.map(([ruleId, impact, html]) => found(ruleId, impact, html, 2, index));
    const named = new Set([...BROKEN, ...UNDECIDED].map(([ruleId]) => ruleId));
    const others = RULES.filter(({ ruleId }) => !named.has(ruleId)).map(({ ruleId }) => described(ruleId, { elementCount: 3 }));
    return checkedPage({
      url,
      title: `Stühle und Sessel, Seite ${index + 1} – Möbelhaus Nordlicht`,
      partial: index % 50 === 20 ? ["scrollable-region-focusable"] : [],
      findings: {
        violations,
        incomplete,
        passes: others.filter((_, position) => position % 2 === 0),
        inapplicable: others.filter((_, position) => position % 2 === 1),
      },
    });
  });
}

function found(ruleId: string, impact: Impact, html: string, count: number, page: number): FindingResult {
  const elements = Array.from({ length: count }, (_, index): ElementResult => {
    // Half of them are the same on every page, like those in a header.
    const number = index < count / 2 ? index : page * 1_000 + index;
    return element({
      impact,
      checks: ruleId === "color-contrast" ? [CONTRAST] : element().checks,
      html: html.replaceAll("{n}", String(number)),
      context: { heading: "Stühle und Sessel", role: "img", name: index % 2 ? "Sessel Fjord" : "" },
      target: [`main > section:nth-child(3) > ul.grid > li:nth-child(${index + 1}) > article .${ruleId}-${number}`],
    });
  });
  return described(ruleId, { impact, elementCount: count, elements });
}

function described(ruleId: string, overrides: Partial<FindingResult>): FindingResult {
  const { tags, help, description, helpUrl } = rule(ruleId);
  return finding(ruleId, { tags, help, description, helpUrl, ...overrides });
}
