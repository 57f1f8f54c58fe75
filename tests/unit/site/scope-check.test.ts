import { describe, expect, it } from "vitest";
import german from "locales/de/law.json";
import english from "locales/en/law.json";
import {
  isComplete,
  judgeScope,
  PARAGRAPH_OF,
  QUESTION_NAMES,
  readScopeAnswers,
  SCOPE_QUESTIONS,
  type ScopeAnswers,
} from "~/site/law/scope-check";

const SHOP: ScopeAnswers = { offer: "contract", audience: "consumers", staff: "many", money: "large" };

/** All combinations of answers. */
function allAnswers(): ScopeAnswers[] {
  const { offer, audience, staff, money } = SCOPE_QUESTIONS;
  return offer.flatMap((o) =>
    audience.flatMap((a) => staff.flatMap((s) => money.map((m) => ({ offer: o, audience: a, staff: s, money: m })))),
  );
}

describe("the self-check on the BFSG", () => {
  it.each([
    ["a shop with many employees", {}, "covered"],
    ["a shop with few employees and high turnover", { staff: "few" }, "covered"],
    ["a shop with many employees and low turnover", { money: "small" }, "covered"],
    ["a shop that is a micro enterprise", { staff: "few", money: "small" }, "exempt"],
    ["a shop that does not know its turnover", { staff: "few", money: "unsure" }, "unclear"],
    ["a shop for businesses only", { audience: "businesses" }, "exempt"],
    ["a shop that does not know its customers", { audience: "unsure" }, "unclear"],
    ["a bank", { offer: "listed" }, "covered"],
    ["a maker of devices, however small", { offer: "products", staff: "few", money: "small" }, "covered-products"],
    ["a maker of devices for businesses", { offer: "products", audience: "businesses" }, "unclear"],
    ["a website that only informs", { offer: "information" }, "exempt"],
    ["somebody who does not know what they offer", { offer: "unsure", staff: "few", money: "small" }, "unclear"],
  ] as [string, Partial<ScopeAnswers>, string][])("%s", (_who, answers, verdict) => {
    expect(judgeScope({ ...SHOP, ...answers }).verdict).toBe(verdict);
  });

  it("has a reason for every verdict, and no verdict for open questions", () => {
    for (const answers of allAnswers()) {
      const { verdict, reasons } = judgeScope(answers);
      expect(reasons.length).toBeGreaterThan(0);
      const isOpen = reasons.some((reason) => reason.endsWith("Unsure") || reason === "productsBusinesses");
      expect(isOpen, JSON.stringify(answers)).toBe(verdict === "unclear");
      for (const reason of reasons) expect(PARAGRAPH_OF[reason]).toBeGreaterThan(0);
    }
  });

  it("uses only the law's statements about products for products", () => {
    for (const answers of allAnswers().filter(({ offer }) => offer === "products")) {
      const { verdict, reasons } = judgeScope(answers);
      expect(["covered-products", "unclear"]).toContain(verdict);
      expect(reasons).not.toContain("audienceUnsure");
    }
  });

  it("accepts only known answers", () => {
    const read = (query: string) => readScopeAnswers(new URLSearchParams(query));
    expect(read("offer=contract&staff=seven&other=1")).toEqual({ offer: "contract" });
    expect(isComplete(read("offer=contract&audience=consumers&staff=few"))).toBe(false);
    expect(isComplete(read("offer=contract&audience=consumers&staff=few&money=small"))).toBe(true);
  });

  it.each([german, english])("has a text for every answer", ({ check }) => {
    for (const name of QUESTION_NAMES) expect(Object.keys(check.question[name].answer)).toEqual([...SCOPE_QUESTIONS[name]]);
  });
});
