import axe from "axe-core";
import { describe, expect, test } from "vitest";
import { checkMessage, failureSummary } from "~/findings/rules/axe/messages.server";
import { criteriaOf, criterionName, levelOf } from "~/findings/rules/criteria.server";
import { criteriaOfStandard } from "~/findings/success-criteria";
import { ruleGuide } from "~/findings/rules/guide.server";
import { ruleText } from "~/findings/rules/texts.server";
import { failureSummary as englishSummary } from "~/reports/exports/failure-summary";
import { PAGE_RULES, RULES_VERSION } from "~/scan/rules/rampe/index";
import { SITE_RULES } from "~/scan/rules/rampe/site/index";
import { tagsOfRule } from "~/scan/rules/rampe/page-rule";
import type { Category, CheckOutcome } from "~/scan/types";
import germanCriteria from "locales/de/criteria.json";
import englishTexts from "locales/en/axe.json";

type Messages = string | { [key: string]: Messages };
interface CheckResult {
  id: string;
  data: unknown;
  result: boolean | undefined;
  message?: string;
}
interface NodeResult {
  any: CheckResult[];
  all: CheckResult[];
  none: CheckResult[];
}

/** axe-core's own template functions, which its types do not contain. */
const { _audit, utils, _thisWillBeDeletedDoNotUse } = axe as unknown as {
  _audit: {
    rules: { id: string; tags: string[] }[];
    data: {
      rules: Record<string, { help: string; description: string }>;
      checks: Record<string, { messages: Record<string, Messages> }>;
      incompleteFallbackMessage: string;
    };
  };
  utils: {
    processMessage(message: Messages, data: unknown): string;
    publishMetaData(result: { id: string; nodes: NodeResult[] }): void;
  };
  _thisWillBeDeletedDoNotUse: { helpers: { failureSummary(node: NodeResult): string } };
};

const CATEGORY: Record<string, Category> = { fail: "violations", incomplete: "incomplete", pass: "passes" };

/** All messages of every check, with data that makes axe-core choose them. */
const variants = Object.entries(_audit.data.checks).flatMap(([id, { messages }]) =>
  Object.entries(messages).flatMap(([outcome, templates]) =>
    Object.entries(typeof templates === "string" ? { "": templates } : templates)
      .filter((variant): variant is [string, string] => typeof variant[1] === "string" && variant[1] !== "")
      .map(([key, template]) => {
        const data = sample(template, key);
        const check = outcomeOf(id, data, utils.processMessage(templates, structuredClone(data)));
        return { name: [id, outcome, key].filter(Boolean).join("."), category: CATEGORY[outcome]!, check };
      }),
  ),
);

function sample(template: string, messageKey: string): unknown {
  const keys = [...template.matchAll(/\$\{data\.(\w+)\}/g)].map(([, key]) => key!);
  if (template.includes("${data}")) return "«data»";
  return { messageKey, ...Object.fromEntries(keys.map((key) => [key, `«${key}»`])) };
}

function outcomeOf(
  id: string,
  data: unknown,
  message: string,
  group: CheckOutcome["group"] = "any",
): CheckOutcome {
  return { group, id, data, message };
}

/** Node as reported by axe-core, and its checks as stored by the engine. */
function reported(ruleId: string, node: Partial<NodeResult>): { node: NodeResult; checks: CheckOutcome[] } {
  const full: NodeResult = { any: [], all: [], none: [], ...node };
  utils.publishMetaData({ id: ruleId, nodes: [full] });
  const groups = ["any", "all", "none"] as const;
  const checks = groups.flatMap((group) =>
    full[group].map(({ id, data, message }) => outcomeOf(id, stored(data), message ?? "", group)),
  );
  return { node: full, checks };
}

const stored = (data: unknown): unknown => (data === undefined ? null : JSON.parse(JSON.stringify(data)));

const poorContrast = {
  id: "color-contrast",
  result: false,
  data: {
    fgColor: "#777777",
    bgColor: "#ffffff",
    contrastRatio: 4.47,
    fontSize: "12.0pt (16px)",
    fontWeight: "normal",
    messageKey: null,
    expectedContrastRatio: "4.5:1",
    shadowColor: undefined,
  },
};

describe("names and descriptions of rules", () => {
  test.each(_audit.rules.map(({ id }) => id))("%s has its own in German", (id) => {
    const english = _audit.data.rules[id]!;
    const german = ruleText(id, "de");
    expect(german?.lang).toBe("de");
    expect(german?.help).toBeTruthy();
    expect(german?.help).not.toBe(english.help);
    expect(german?.description).toBeTruthy();
    expect(german?.description).not.toBe(english.description);
  });

  test("no two rules share a German name", () => {
    const names = _audit.rules.map(({ id }) => ruleText(id, "de")?.help);
    expect(new Set(names).size).toBe(names.length);
  });

  test("the English ones are axe-core's own", () => {
    for (const { id } of _audit.rules) {
      const { help, description } = _audit.data.rules[id]!;
      expect(ruleText(id, "en")).toEqual({ help, description, lang: "en" });
    }
  });

  test.each(["no-such-rule", "constructor", "__proto__"])(
    "%s is not a known rule, so its stored text is shown",
    (id) => {
      expect(ruleText(id, "de")).toBeNull();
    },
  );
});

test.each([
  ["de", /ein Fenster öffnen/, /Fenster/],
  ["en", /open a window/, /window/],
] as const)("the guide to the focus that leads away names new windows as errors, not as limits (%s)", (locale, named, windows) => {
  const guide = ruleGuide("rampe-focus-context", locale);
  expect(guide?.tested).toMatch(named);
  expect(guide?.limits).not.toMatch(windows);
});

describe("the message of a check", () => {
  test.each(variants)("$name has a German message with the same information as the English one", ({ check, category }) => {
    const { text, lang } = checkMessage(check, "de", category);
    expect(lang).toBe("de");
    expect(text).not.toBe(check.message);
    expect(text).not.toContain("${");
    const told = (message: string) => new Set(message.match(/«\w+»/g));
    expect(told(text)).toEqual(told(check.message));
  });

  test("English messages are axe-core's own", () => {
    for (const { check, category } of variants) {
      expect(checkMessage(check, "en", category)).toEqual({ text: check.message, lang: "en" });
    }
  });

  test("lists have singular and plural forms", () => {
    const missing = (data: string[]) =>
      reported("aria-required-attr", { any: [{ id: "aria-required-attr", result: false, data }] }).checks[0]!;
    expect(checkMessage(missing(["aria-checked"]), "de", "violations").text).toBe(
      "Das erforderliche ARIA-Attribut fehlt: aria-checked",
    );
    expect(checkMessage(missing(["aria-valuemin", "aria-valuemax"]), "de", "violations").text).toBe(
      "Erforderliche ARIA-Attribute fehlen: aria-valuemin, aria-valuemax",
    );
  });

  test("numbers have a decimal comma in German, colours stay unchanged", () => {
    const { checks } = reported("color-contrast", { any: [poorContrast] });
    expect(checkMessage(checks[0]!, "de", "violations").text).toBe(
      "Das Element hat ein zu geringes Kontrastverhältnis von 4,47:1 (Vordergrundfarbe: #777777, " +
        "Hintergrundfarbe: #ffffff, Schriftgröße: 12,0pt (16px), Schriftstärke: normal). " +
        "Erforderlich ist ein Kontrastverhältnis von 4,5:1.",
    );
  });

  test("axe-core's reason for being undecided is translated", () => {
    const { checks } = reported("color-contrast", {
      any: [{ id: "color-contrast", result: undefined, data: { messageKey: "bgImage" } }],
    });
    expect(checkMessage(checks[0]!, "de", "incomplete")).toEqual({
      text: "Die Hintergrundfarbe des Elements ließ sich wegen eines Hintergrundbilds nicht bestimmen.",
      lang: "de",
    });
  });

  test("a rule that needs review uses its failure message", () => {
    const { checks } = reported("frame-title-unique", {
      none: [{ id: "unique-frame-title", result: undefined, data: null }],
    });
    expect(checkMessage(checks[0]!, "de", "incomplete")).toEqual({
      text: "Das title-Attribut des Elements ist nicht eindeutig.",
      lang: "de",
    });
  });

  test("a missing reason of axe-core is stated in German", () => {
    const { checks } = reported("image-alt", { any: [{ id: "has-alt", result: undefined, data: null }] });
    expect(checks[0]!.message).toBe(_audit.data.incompleteFallbackMessage);
    expect(checkMessage(checks[0]!, "de", "incomplete").text).toMatch(
      /^Der Grund ließ sich nicht ermitteln\./,
    );
  });

  test.each([
    ["a check that this axe-core does not have", outcomeOf("no-such-check", null, "Something is wrong")],
    [
      "a message that this axe-core does not have",
      outcomeOf("has-alt", null, "Element lacks an alt attribute"),
    ],
    [
      "data that does not fit the message",
      outcomeOf("deprecatedrole", "b", "The role used is deprecated: a"),
    ],
    ["a name of a built-in property", outcomeOf("constructor", null, "Element has an alt attribute")],
  ])("%s is shown in English and marked as such", (_case, check) => {
    expect(checkMessage(check, "de", "violations")).toEqual({ text: check.message, lang: "en" });
  });

  test.each(["<img src=x onerror=alert(1)>", "${data}", "${data.values}", "ctl00$Main$1", "1.5", "a\nb"])(
    "a page's own text %j is quoted unchanged",
    (text) => {
      const { checks } = reported("aria-deprecated-role", {
        none: [{ id: "deprecatedrole", result: true, data: text }],
      });
      expect(checkMessage(checks[0]!, "de", "violations").text).toBe(
        `Die verwendete Rolle ist veraltet: ${text}`,
      );
    },
  );

  test.each([
    '{"values":{"toString":1}}',
    '{"values":[{"toString":1},null,[[]]]}',
    '{"__proto__":{"values":"x"},"messageKey":"__proto__"}',
    '{"hasOwnProperty":1,"((":1}',
    "[[1]]",
    "0",
    "null",
  ])("data forged by a page, %s, is harmless", (data) => {
    const check = outcomeOf("aria-valid-attr", JSON.parse(data), "Invalid ARIA attribute name: x");
    expect(checkMessage(check, "de", "violations")).toEqual({ text: check.message, lang: "en" });
  });
});

describe("the fixes of an element", () => {
  const noName = reported("button-name", {
    any: ["button-has-visible-text", "aria-label"].map((id) => ({ id, result: false, data: null })),
    none: [{ id: "focusable-no-name", result: true, data: null }],
  });

  test("required fixes come before alternatives", () => {
    expect(failureSummary(noName.checks, "de", "violations")).toEqual([
      {
        heading: "Beheben Sie Folgendes:",
        items: [
          { text: "Das Element gehört zur Tab-Reihenfolge und hat keinen zugänglichen Text.", lang: "de" },
        ],
      },
      {
        heading: "Beheben Sie mindestens einen der folgenden Punkte:",
        items: [
          { text: "Das Element enthält keinen Text, der für Screenreader sichtbar ist.", lang: "de" },
          { text: "Das aria-label-Attribut fehlt oder ist leer.", lang: "de" },
        ],
      },
    ]);
  });

  test("a single alternative is not shown as a choice", () => {
    const checks = noName.checks.filter(({ id }) => id !== "aria-label");
    expect(failureSummary(checks, "en", "violations")).toEqual([
      {
        heading: "Fix all of the following:",
        items: [
          { text: "Element is in tab order and does not have accessible text", lang: "en" },
          { text: "Element does not have inner text that is visible to screen readers", lang: "en" },
        ],
      },
    ]);
  });

  test("no fix is listed twice", () => {
    const twice = [...noName.checks, ...noName.checks];
    expect(failureSummary(twice, "de", "violations")).toEqual(
      failureSummary(noName.checks, "de", "violations"),
    );
  });

  test("undecided results are not called faults", () => {
    const headings = ["de", "en"].flatMap((locale) =>
      failureSummary(noName.checks, locale as "de" | "en", "incomplete").map(({ heading }) => heading),
    );
    expect(headings).toHaveLength(4);
    for (const heading of headings) expect(heading).toMatch(/^(Prüfen Sie von Hand|Check by hand)/);
  });

  test.each([
    ["required fixes and alternatives", noName],
    ["one choice", reported("color-contrast", { any: [poorContrast] })],
    [
      "checks that must not and checks that must all hold",
      reported("label", {
        none: [{ id: "hidden-explicit-label", result: true, data: null }],
        all: [{ id: "aria-label", result: false, data: null }],
        any: [{ id: "error-occurred", result: undefined, data: { message: "x" } }],
      }),
    ],
    ["nothing", reported("label", {})],
  ])("exports contain axe-core's own text for %s", (_case, { node, checks }) => {
    expect(englishSummary(checks)).toBe(_thisWillBeDeletedDoNotUse.helpers.failureSummary(node));
  });

  test("exports indent messages of several lines as axe-core does", () => {
    const node = { any: [{ id: "x", result: false, data: null, message: "a\nb" }], all: [], none: [] };
    expect(englishSummary([outcomeOf("x", null, "a\nb")])).toBe(
      _thisWillBeDeletedDoNotUse.helpers.failureSummary(node),
    );
  });
});

test("our German translations match the texts of the installed axe-core", () => {
  const { checks, rules, incompleteFallbackMessage } = _audit.data;
  const messages = Object.fromEntries(Object.entries(checks).map(([id, check]) => [id, check.messages]));
  const today = { rules, checks: messages, incompleteFallbackMessage };
  expect(today).toMatchObject(englishTexts.gaps);
  expect(today).toMatchObject(englishTexts.improved);
});

describe("success criteria", () => {
  test("are read from a rule's tags, in order", () => {
    const tags = [
      "cat.color",
      "wcag21aa",
      "wcag1412",
      "wcag143",
      "wcag111",
      "EN-301-549",
      "EN-9.1.4.3",
      "best-practice",
    ];
    expect(criteriaOf(tags)).toEqual(["1.1.1", "1.4.3", "1.4.12"]);
    expect(criteriaOf(["cat.semantics", "best-practice"])).toEqual([]);
  });

  test("have a clause in the tags of our rules only where EN 301 549 V3.2.1 has one", () => {
    const clauses = new Set(criteriaOfStandard({ version: "2.2", level: "AAA" }).map(({ clause }) => clause && `EN-${clause}`));
    const named = [...PAGE_RULES, ...SITE_RULES].flatMap((rule) => tagsOfRule(rule).filter((tag) => /^EN-9/.test(tag)));
    expect(named.length).toBeGreaterThan(50);
    expect(named.filter((clause) => !clauses.has(clause))).toEqual([]);
  });

  test("name the version of our rules that brought them, which is no later one", () => {
    const numbers = (version: string) => version.split(".").map(Number);
    const isLater = (one: string, other: string) => {
      const place = numbers(one).findIndex((number, index) => number !== numbers(other)[index]);
      return place >= 0 && numbers(one)[place]! > numbers(other)[place]!;
    };
    expect(isLater("1.10.0", "1.9.0")).toBe(true);
    const rules = [...PAGE_RULES, ...SITE_RULES];
    expect(rules.filter(({ since }) => !/^1\.\d+\.\d+$/.test(since) || isLater(since, RULES_VERSION))).toEqual([]);
  });

  test.each([
    ["A", ["cat.x", "wcag2a", "wcag111"]],
    ["AA", ["wcag22aa", "wcag258"]],
    ["AAA", ["wcag2aaa", "wcag146"]],
    [null, ["best-practice", "cat.a"]],
  ])("have level %s", (level, tags) => {
    expect(levelOf(tags)).toBe(level);
  });

  test("have a number and a name in both languages", () => {
    expect(criterionName("1.4.3", "de")).toBe("1.4.3 Kontrast (Minimum)");
    expect(criterionName("1.4.3", "en")).toBe("1.4.3 Contrast (Minimum)");
    expect(criterionName("9.9.9", "de")).toBe("9.9.9");
  });

  test("all 86 of WCAG 2.2 are known, and the one that it removed", () => {
    expect(Object.keys(germanCriteria)).toHaveLength(87);
  });

  test("every rule's criteria have a name", () => {
    for (const number of _audit.rules.flatMap(({ tags }) => criteriaOf(tags))) {
      expect(criterionName(number, "de")).not.toBe(number);
      expect(criterionName(number, "en")).not.toBe(number);
    }
  });
});
