import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Scanner } from "~/scan/types";
import { expectChecked, reasonOf, testScanner, violationsOf, WCAG22AA } from "../../support/scan/scanner";
import { openSite, pageWith, type Page, type Site } from "../../support/scan/site";

/*
 * Time at which a page is ready for the analysis. Changes by its scripts after loading belong to it, as long as a visitor
 * would see them as a part of the loading.
 */

const IMAGE = `<img alt="A picture" src="/picture">`;
const ADD = `document.querySelector("main").insertAdjacentHTML("beforeend", "<img id=late src='data:,'>")`;
const script = (code: string) => `<script>const add = () => { ${ADD} };${code}</script>`;

const slowly =
  (ms: number, body: string, type = "text/html"): Page =>
  (_request, response) =>
    void setTimeout(() => response.setHeader("content-type", type).end(body), ms);

const afterData = (code: string) => script(`fetch("/data").then((answer) => answer.json()).then(() => { ${code} })`);

const LATE: Record<string, string> = {
  "a timer of 60 ms after the load event": script("onload = () => setTimeout(add, 60)"),
  "a timer of 100 ms after the load event, by an attribute": `<svg onload="setTimeout(() => { ${ADD.replaceAll('"', "&quot;")} }, 100)"></svg>`,
  "a script that has removed itself": script("document.currentScript.remove(); onload = () => setTimeout(add, 60)"),
  "two drawn frames after an answer": afterData("requestAnimationFrame(() => requestAnimationFrame(add))"),
  "a timer of 30 ms after an answer": afterData("setTimeout(add, 30)"),
  "a second answer, asked for after the first": afterData(
    `setTimeout(() => fetch("/data").then((answer) => answer.json()).then(add), 20)`,
  ),
};

let site: Site;
let scanner: Scanner;

beforeAll(async () => {
  const pages: Record<string, Page> = {
    "/picture": slowly(100, "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>", "image/svg+xml"),
    "/data": slowly(400, "{}", "application/json"),
    "/next": slowly(3_000, pageWith(script("add()"))),
    "/leaves": pageWith(IMAGE + script("onload = () => { location.href = '/next' }")),
    "/first": pageWith(IMAGE + script("onload = () => setTimeout(() => { location.href = '/second' }, 20)")),
    "/second": pageWith(IMAGE + script("onload = () => setTimeout(() => { location.href = '/third' }, 20)")),
    "/third": pageWith(IMAGE + script("onload = () => setTimeout(add, 20)")),
    "/reports": pageWith(script("fetch('/report', { method: 'POST' }).then((answer) => answer.ok)")),
    "/report": { headers: { "content-type": "application/json" }, body: "a short answer" },
    "/component": pageWith(
      `${IMAGE}<x-a></x-a>${script(
        `const root = document.querySelector("x-a").attachShadow({ mode: "open" });
         onload = () => setTimeout(() => { root.innerHTML = "<img id=late src='data:,'>" }, 40)`,
      )}`,
    ),
    "/faded-in": pageWith(
      script("setTimeout(() => document.documentElement.removeAttribute('class'), 1000)"),
      "<style>.hidden { opacity: 0 !important }</style><script>document.documentElement.className = 'hidden'</script>",
    ),
    "/shell": `<!doctype html><html lang="en"><title>Shell</title><body><div id="root"></div><iframe style="visibility:hidden"
      title="Badge"></iframe><img alt="" src="data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=="></body></html>`,
    "/named": pageWith(
      `<form style="display:contents"><button name="parentElement" style="display:contents">Send</button></form>`,
    ),
  };
  for (const [index, [, content]] of Object.entries(LATE).entries()) pages[`/late-${index}`] = pageWith(IMAGE + content);
  site = await openSite(pages);
  scanner = testScanner();
});
afterAll(async () => {
  await scanner.stop();
  await site.close();
});

const check = (path: string) => scanner.check({ url: site.url(path), standard: WCAG22AA });

describe("content of the page is found although it comes by", () => {
  it.each(Object.keys(LATE).map((name, index) => [name, index] as const))("%s", async (_name, index) => {
    const result = await check(`/late-${index}`);
    expect(violationsOf(result)).toContain("image-alt #late");
    expect(expectChecked(result).gaps.unfinished).toBe(false);
  });

  it("content in a shadow root that is filled later is found", async () => {
    expect(violationsOf(await check("/component")).join()).toContain("image-alt");
    expect(violationsOf(await check("/component")).filter((each) => each.includes("#late"))).toHaveLength(1);
  });

  it("the next page is checked when a script slowly leads there", async () => {
    const result = await check("/leaves");
    expect(result.finalUrl).toBe(site.url("/next"));
    expect(violationsOf(result)).toContain("image-alt #late");
    expect(expectChecked(result).gaps.unfinished).toBe(false);
  });

  it("the last page is checked when two others lead on to it", async () => {
    const result = await check("/first");
    expect(result.finalUrl).toBe(site.url("/third"));
    expect(violationsOf(result)).toContain("image-alt #late");
  });

  it("a page is checked after it has stopped being transparent", async () => {
    const result = expectChecked(await check("/faded-in"));
    expect(result.gaps.concealed).toBe(false);
    expect(result.findings.passes.map(({ ruleId }) => ruleId)).toContain("color-contrast");
  });
});

it("an answer that no script reads does not delay the analysis", async () => {
  expect(expectChecked(await check("/reports")).gaps.unfinished).toBe(false);
});

it("a page with only a hidden frame and a beacon is empty", async () => {
  expect(reasonOf(await check("/shell"))).toBe("empty");
});

it("form controls with names of DOM properties do not hide a page's content", async () => {
  expect(reasonOf(await check("/named"))).toBe("succeeded");
});
