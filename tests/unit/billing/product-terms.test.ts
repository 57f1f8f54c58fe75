import { expect, test } from "vitest";
import { termsOfProduct } from "~/billing/plans/product-terms";

const termsOf = (metadata: Record<string, string>, name = "Rampe Enterprise") => {
  const missing: string[] = [];
  const { plan, urlLimit } = termsOfProduct({ name, metadata }, (what) => missing.push(what));
  return { plan, urlLimit, missing };
};

test.each<[Record<string, string>, string, number | null]>([
  [{ plan: "basic", urls: "1" }, "basic", 1],
  [{ plan: "pro", urls: "12" }, "pro", 12],
  [{ plan: "enterprise", urls: "unlimited" }, "enterprise", null],
  [{ plan: " Enterprise ", urls: " Unlimited" }, "enterprise", null],
  [{ plan: "enterprise", urls: "40" }, "enterprise", 40],
])("plan and limit come from the metadata: %j", (metadata, plan, urlLimit) => {
  expect(termsOf(metadata)).toEqual({ plan, urlLimit, missing: [] });
});

test("a product without a plan in its metadata counts as the smallest plan, whatever its name, which is logged", () => {
  expect(termsOf({})).toEqual({ plan: "basic", urlLimit: 1, missing: ["plan", "urls"] });
  expect(termsOf({ plan: "gold", urls: "5" })).toEqual({ plan: "basic", urlLimit: 5, missing: ["plan"] });
});

test.each(["", "0", "-1", "many", "1.5"])("an invalid limit of %j is logged, and the plan's own applies", (urls) => {
  expect(termsOf({ plan: "pro", urls })).toEqual({ plan: "pro", urlLimit: 5, missing: ["urls"] });
});
