import type {
  CheckedPage,
  ElementResult,
  EngineVersion,
  FindingResult,
  Scanner,
  UncheckedPage,
} from "~/scan/types";

export const ENGINES: EngineVersion[] = [{ name: "axe-core", version: "4.14.1" }];

export function element(overrides: Partial<ElementResult> = {}): ElementResult {
  return {
    target: ["#logo"],
    html: '<img id="logo">',
    htmlCut: false,
    impact: "critical",
    checks: [{ group: "any", id: "has-alt", data: null, message: "Element does not have an alt attribute" }],
    ...overrides,
  };
}

export function finding(ruleId: string, overrides: Partial<FindingResult> = {}): FindingResult {
  return {
    ruleId,
    source: "axe",
    impact: null,
    tags: ["wcag2a", "wcag111"],
    help: `Help of ${ruleId}`,
    description: `Description of ${ruleId}`,
    helpUrl: `https://rules.example/${ruleId}`,
    elementCount: 0,
    elements: [],
    ...overrides,
  };
}

export function checkedPage(overrides: Partial<CheckedPage> = {}): CheckedPage {
  const url = overrides.url ?? "https://shop.example/";
  return {
    status: "succeeded",
    url,
    finalUrl: url,
    checkedAt: 1_000,
    durationMs: 812,
    title: "Shop",
    lang: "de",
    httpStatus: 200,
    partial: [],
    gaps: { frames: [], closedShadowRoots: 0, resources: 0, concealed: false, unfinished: false, late: [], missing: null },
    findings: {
      violations: [finding("image-alt", { impact: "critical", elementCount: 1, elements: [element()] })],
      incomplete: [],
      passes: [finding("document-title", { elementCount: 1 })],
      inapplicable: [finding("marquee")],
    },
    ...overrides,
  };
}

export function uncheckedPage(overrides: Partial<UncheckedPage> = {}): UncheckedPage {
  const url = overrides.url ?? "https://shop.example/";
  return {
    status: "failed",
    url,
    finalUrl: url,
    checkedAt: 1_000,
    durationMs: 12,
    reason: "dns",
    detail: { technical: "net::ERR_NAME_NOT_RESOLVED" },
    ...overrides,
  };
}

/** Scanner without a browser: `check` provides the result of every page. */
export function fakeScanner(check: Scanner["check"] = async ({ url }) => checkedPage({ url })): Scanner {
  const begin: Scanner["check"] = async (order) => {
    await order.onBegin?.();
    return check(order);
  };
  return { engines: ENGINES, parallel: 2, check: begin, ready: async () => {}, stop: async () => {} };
}
