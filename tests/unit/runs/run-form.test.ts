import { describe, expect, test } from "vitest";
import { isAddressProblem } from "~/runs/check-form.server";
import { LOCALES } from "~/platform/i18n/i18n";
import { textsOf } from "~/platform/i18n/i18n.server";
import { parseForm } from "~/platform/forms/parse-form";
import { singleFields } from "~/platform/forms/read-form";
import { runFormSchema } from "~/runs/form.server";

const MOST_PAGES = 200;
const schema = runFormSchema((host) => (host === "127.0.0.1" ? "private" : undefined), MOST_PAGES, 24_000);

/** Field values in the form's format. */
function send(fields: Record<string, string>) {
  const form = new FormData();
  for (const [name, value] of Object.entries({ url: "shop.example", ...fields })) form.append(name, value);
  return parseForm(form, schema);
}

function read(fields: Record<string, string> = {}) {
  const sent = send(fields);
  if (!sent.value) throw new Error(JSON.stringify(sent.problems));
  return sent.value;
}

/** Problems by field, in the order of the form. */
const problemsOf = (fields: Record<string, string>) => send(fields).problems;

describe("a valid scan request", () => {
  test("may contain waits in ms and for an element; 0 and empty fields mean none", () => {
    expect(read({ waitMs: " 24000 ", waitFor: " #list li " })).toMatchObject({ waitMs: 24_000, waitFor: "#list li" });
    expect(read({ waitMs: "0", waitFor: " " })).toMatchObject({ waitMs: null, waitFor: null });
  });

  test("needs only an address; an empty field counts as missing", () => {
    const request = { url: "https://shop.example/", scope: "page", level: "AA", access: null };
    expect(read()).toMatchObject(request);
    expect(read({ scope: "", level: "", maxPages: " ", leftOut: " \r\n ", accessUser: "", accessPassword: "", accessCookie: "" })).toMatchObject(request);
  });

  test("asks for a mail about a whole website, not about a page", () => {
    expect(read({ scope: "site", mail: "yes" })).toMatchObject({ mailWhenDone: true });
    expect(read({ scope: "site" })).toMatchObject({ mailWhenDone: false });
    expect(read({ scope: "page", mail: "yes" }).mailWhenDone).toBeUndefined();
  });

  test("names the scope of the scan", () => {
    expect(read({ scope: "site", level: "AAA", maxPages: " 200 ", leftOut: "/archive/\r\n\r\n /shop?sort= \n/archive/" })).toEqual({
      ...{ url: "https://shop.example/", mailWhenDone: false, scope: "site", level: "AAA", maxPages: 200, leftOut: ["/archive/", "/shop?sort="], access: null },
    });
  });

  test("of a single page has no page limit", () => {
    expect(read({ scope: "page", maxPages: "5" }).maxPages).toBeNull();
  });

  test("accepts a full address as its path", () => {
    expect(read({ leftOut: "https://shop.example/alt/\nHTTP://shop.example/neu" }).leftOut).toEqual(["/alt/", "/neu"]);
  });

  test("may contain a user name and password, or a cookie, for a protected site", () => {
    expect(read({ accessUser: " ada ", accessPassword: " geheim " }).access).toEqual({ kind: "basic", user: "ada", password: " geheim " });
    expect(read({ accessUser: "ada" }).access).toEqual({ kind: "basic", user: "ada", password: "" });
    expect(read({ accessCookie: " a=1; b=x=y; c=; " }).access).toEqual({ kind: "cookie", cookie: "a=1; b=x=y; c=;" });
  });
});

describe("a refused scan request names the field and the problem", () => {
  test.each<[Record<string, string>, string, string]>([
    [{ url: "" }, "url", "missing"],
    [{ url: "kein Ort" }, "url", "not_an_address"],
    [{ url: "ftp://shop.example" }, "url", "scheme"],
    [{ url: "http://127.0.0.1/" }, "url", "private"],
    [{ url: `shop.example/${"x".repeat(3_000)}` }, "url", "too_long"],
    [{ scope: "country" }, "scope", "scope_unknown"],
    [{ level: "B" }, "level", "level_unknown"],
    ...["0", "-1", "201", "1.5", "viele", "NaN", "Infinity"].map((maxPages) => [{ maxPages }, "maxPages", "pages_out_of_range"] as [Record<string, string>, string, string]),
    ...["-1", "24001", "1.5", "bald", "1e3"].map((waitMs) => [{ waitMs }, "waitMs", "wait_out_of_range"] as [Record<string, string>, string, string]),
    [{ waitFor: "main {" }, "waitFor", "no_selector"],
    [{ leftOut: "archive" }, "leftOut", "path_without_slash"],
    [{ leftOut: "/gut\nschlecht" }, "leftOut", "path_without_slash"],
    [{ leftOut: Array.from({ length: 51 }, (_, index) => `/${index}`).join("\n") }, "leftOut", "paths_too_many"],
    [{ leftOut: `/${"x".repeat(500)}` }, "leftOut", "paths_too_many"],
    [{ accessUser: "x".repeat(4_001) }, "accessUser", "access_too_long"],
    [{ accessUser: "ada", accessPassword: "x".repeat(4_001) }, "accessPassword", "access_too_long"],
    [{ accessCookie: `a=${"x".repeat(4_000)}` }, "accessCookie", "access_too_long"],
    [{ accessCookie: "kein Cookie" }, "accessCookie", "cookie_malformed"],
    [{ accessCookie: "a=1\r\nX-Evil: 1" }, "accessCookie", "cookie_malformed"],
    [{ accessCookie: "Cookie: a=1" }, "accessCookie", "cookie_malformed"],
    [{ accessPassword: "geheim" }, "accessUser", "access_user_missing"],
    [{ accessUser: "ada:admin", accessPassword: "geheim" }, "accessUser", "access_user_colon"],
    [{ accessUser: "ada", accessCookie: "a=1" }, "accessCookie", "access_twice"],
    [{ accessPassword: "geheim", accessCookie: "a=1" }, "accessCookie", "access_twice"],
  ])("%j", (fields, field, problem) => {
    expect(problemsOf(fields)).toMatchObject({ [field]: problem });
    if (isAddressProblem(problem)) return;
    for (const locale of LOCALES) {
      const text = textsOf(locale).getFixedT(null, "runs")(`problem.${problem as "level"}`, { max: MOST_PAGES });
      expect(text).toMatch(/^\p{L}.*\p{Ll}.*(\.|=\S+)$/u);
    }
  });

  test("all at once, in the order of the fields", () => {
    expect(Object.keys(problemsOf({ url: "", level: "B", maxPages: "0", leftOut: "x" }))).toEqual(["url", "level", "maxPages", "leftOut"]);
  });
});

test("a duplicate field counts once, and a file is ignored", () => {
  const form = new FormData();
  for (const [name, value] of [["url", "a"], ["url", "b"]] as const) form.append(name, value);
  form.append("cookie", new Blob(["c"]));
  expect([...singleFields(form)]).toEqual([["url", "a"]]);
});
