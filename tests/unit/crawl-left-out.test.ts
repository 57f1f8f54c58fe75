import { expect, test } from "vitest";
import { isExcludedBy } from "~/scan/crawl/exclude-paths";

test.each([
  ["/shop", ["/shop", "/shop/", "/shop/a", "/shop?page=2"], ["/shopping", "/Shop", "/my/shop", "/"]],
  ["/shop/", ["/shop", "/shop/", "/shop/a"], ["/shopping"]],
  ["shop", ["/shop/a"], ["/shopping"]],
  ["/über uns", ["/%C3%BCber%20uns", "/%c3%bcber%20uns/team"], ["/uber"]],
  ["/%C3%BCber", ["/über/x"], ["/ueber"]],
  ["/*/print", ["/de/print", "/de/a/print/2", "/de/printer/print"], ["/print", "/de/printer"]],
  ["/archive*", ["/archive", "/archives/2020", "/archive-2"], ["/arch"]],
  ["/list?page=", ["/list?page=/x"], ["/list?page=2", "/list"]],
  ["/list?*page=*", ["/list?page=2", "/list?a=b&page=2"], ["/list"]],
  ["/a*b*c", ["/a1b2c", "/abbc/d"], ["/acb", "/a1b2cd"]],
  ["/a.b", ["/a.b/c"], ["/aXb"]],
  ["/50%", ["/50%/x"], ["/50"]],
  ["", [], ["/", "/a"]],
  ["/", [], ["/", "/a"]],
])("%j", (beginning, out, kept) => {
  const leavesOut = isExcludedBy([beginning]);
  const paths = [...out, ...kept].filter((path) => leavesOut(`https://example.com${path}`));
  expect(paths).toEqual(out);
});

test("one of several beginnings is enough, whichever host or fragment", () => {
  const leavesOut = isExcludedBy(["/a", "/b"]);
  expect(leavesOut("http://www.example.com:8080/b#part")).toBe(true);
  expect(isExcludedBy([])("https://example.com/a")).toBe(false);
});

test("no pattern takes long to look at", { timeout: 1_000 }, () => {
  const leavesOut = isExcludedBy([`/${"*a".repeat(500)}`]);
  expect(leavesOut(`https://example.com/${"a".repeat(2_000)}b`)).toBe(false);
});
