import { afterAll, beforeAll, expect, it } from "vitest";
import type { Scanner } from "~/scan/types";
import { expectChecked, reasonOf, testScanner, violationsOf, WCAG22AA } from "../../support/scan/scanner";
import { openSite, pageWith, type Site } from "../../support/scan/site";

const HIDDEN = "body { visibility: hidden }";

let site: Site;
let scanner: Scanner;

beforeAll(async () => {
  site = await openSite({
    "/animated": pageWith(
      "",
      "<style>body { animation: show 2s steps(1, end) both } @keyframes show { from { visibility: hidden } }</style>",
    ),
    "/by-script": pageWith(
      "<script>setTimeout(() => document.querySelector('style').remove(), 1500)</script>",
      `<style>${HIDDEN}</style>`,
    ),
    "/made-late": `<!doctype html><html lang="en"><title>Page</title><body><script>
      setTimeout(() => (document.body.innerHTML = '<main><h1>Heading</h1><img id="bare" src="data:,"></main>'), 1500)
    </script></body></html>`,
    "/invisible": pageWith("", `<style>${HIDDEN}</style>`),
    "/without-boxes": pageWith("", "<style>body { display: none }</style>"),
    "/link": '<!doctype html><html lang=en><title>Page</title><body><a href="/"></a></body></html>',
    "/waiting": '<!doctype html><html lang=en><title>Page</title><meta http-equiv=refresh content=60></html>',
    "/language": '<!doctype html><html lang="deutsch"></html>',
    "/app": "<!doctype html><html lang=en><title>Page</title><body><div id=app></div></body></html>",
    "/blank": "<!doctype html><html lang=en><title>Page</title><script>0</script></html>",
  });
  scanner = testScanner();
});
afterAll(async () => {
  await scanner.stop();
  await site.close();
});

const check = (path: string) => scanner.check({ url: site.url(path), standard: WCAG22AA });

it.each([
  ["an animation", "/animated"],
  ["a script", "/by-script"],
  ["a script that builds it", "/made-late"],
])("a page that appears late, by %s, is checked after it has appeared", async (_what, path) => {
  expect(violationsOf(await check(path))).toContain("image-alt #bare");
});

it("a page that shows nothing but leads on after a time is checked", async () => {
  const result = await check("/waiting");
  expect(violationsOf(result)).toContain("meta-refresh meta");
  expect(expectChecked(result).gaps.concealed).toBe(true);
});

it("a page that says nothing but its language is checked", async () => {
  const result = await check("/language");
  expect(violationsOf(result)).toContain("html-lang-valid html");
  expect(expectChecked(result).gaps.concealed).toBe(true);
});

it.each(["/invisible", "/without-boxes", "/link"])("a page that stays invisible is checked, and reported as invisible: %s", async (path) => {
  const result = expectChecked(await check(path));
  expect(result.gaps).toMatchObject({ concealed: true, unfinished: false });
  expect(result.findings.passes.map(({ ruleId }) => ruleId)).toContain("document-title");
  expect(expectChecked(await check("/animated")).gaps.concealed).toBe(false);
});

it.each(["/app", "/blank"])("a page without content is empty: %s", async (path) => {
  expect(reasonOf(await check(path))).toBe("empty");
});
