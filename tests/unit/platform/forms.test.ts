import { expect, test } from "vitest";
import { z } from "zod";
import { parseForm } from "~/platform/forms/parse-form";
import { singleFields } from "~/platform/forms/read-form";

test("the first of several fields counts, also if it is empty", () => {
  const form = new FormData();
  for (const [name, value] of [["a", ""], ["b", "1"], ["b", "2"], ["a", "3"]] as const) form.append(name, value);
  form.append("file", new File(["x"], "x"));
  expect([...singleFields(form)]).toEqual([["a", ""], ["b", "1"]]);
  expect(parseForm(form, z.object({ a: z.string().optional(), b: z.string() }))).toEqual({ value: { b: "1" }, problems: {} });
});

test("a form of a hundred thousand fields is read as quickly as any other", () => {
  const fields = new URLSearchParams(Array.from({ length: 100_000 }, (_, number) => [`field${number}`, "x"]));
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  expect([...singleFields(form).keys()]).toHaveLength(100_000);
  for (const read of [fields, form]) expect(parseForm(read, z.object({ field99999: z.literal("x") })).value).toEqual({ field99999: "x" });
});
