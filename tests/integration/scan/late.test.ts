import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PageResult, Scanner } from "~/scan/types";
import { expectChecked, testScanner, violationsOf, WCAG22AA } from "../../support/scan/scanner";
import { openSite, pageWith, type Page, type Site } from "../../support/scan/site";

/*
 * Late content is part of the page, in any form. Endless activity is detected and reported.
 */

const ADD = `document.querySelector("main").insertAdjacentHTML("beforeend", "<img id=late src='data:,'>")`;
const script = (code: string, attributes = "") => `<script ${attributes}>const add = () => { ${ADD} };${code}</script>`;
const after = (ms: number) => script(`onload = () => setTimeout(add, ${ms})`);
const slowly =
  (ms: number, type: string, body: string): Page =>
  (_request, response) =>
    void setTimeout(() => response.setHeader("content-type", type).end(body), ms);
const FAR = `<div style="height: 5000px"></div>`;
/** Short content: visible during one scrolling step only. */
const FAR_AWAY = `${FAR}<p id="far">Far</p>${FAR}`;
const OBSERVE = `new IntersectionObserver(([entry], observer) => {
  if (entry.isIntersecting) { observer.disconnect(); add() }
}).observe(far)`;

const COMES: Record<string, { page: string; target?: string }> = {
  "a timer of 1 s": { page: after(1_000) },
  "a timer of 2 s": { page: after(2_000) },
  "a timer of 4 s": { page: after(4_000) },
  "a timer of 6 s": { page: after(6_000) },
  "a timer of 9 s": { page: after(9_000) },
  "a timer of 15 s": { page: after(15_000) },
  "fifteen timers of 1 s, one after the other": {
    page: script("let n = 0; const next = () => ++n === 15 ? add() : setTimeout(next, 1000); next()"),
  },
  "an answer that takes 6 s": { page: script("fetch('/slow').then(add)") },
  "an answer asked for after 4 s": {
    page: script("setTimeout(() => fetch('/data').then((answer) => answer.json()).then(() => setTimeout(add, 2000)), 4000)"),
  },
  "a module imported after 9 s": { page: script("setTimeout(() => import('/module.js'), 9000)", "type=module") },
  "an intersection observer": { page: FAR_AWAY + script(OBSERVE.replace("add()", "setTimeout(add, 2000)")) },
  "an intersection observer of a script that was loaded": { page: `${FAR_AWAY}${script("")}<script src="/observe.js"></script>` },
  "an intersection observer of a script in its address": {
    page: `${FAR_AWAY}${script("")}<script src="data:text/javascript,${encodeURIComponent(OBSERVE)}"></script>`,
  },
  "a scroll listener of a box": {
    page: `<div id="box" style="height: 100vh; overflow: auto">${FAR}${FAR}</div>${script(
      "box.onscroll = () => { if (box.scrollTop > 2000) { box.onscroll = null; add() } }",
    )}`,
  },
  "a scroll listener": {
    page: `${FAR}${script("let asked = false; addEventListener('scroll', () => { if (scrollY > 2000 && !asked) fetch('/data').then(add, asked = true) })")}`,
  },
  "a component of its own": {
    page: `<x-late></x-late>${script(
      `setTimeout(() => customElements.define("x-late", class extends HTMLElement {
         connectedCallback() {
           const root = this.attachShadow({ mode: "open" });
           setTimeout(() => { root.innerHTML = "<img id=late src='data:,'>" }, 2000);
         }
       }), 2000)`,
    )}`,
    target: "x-late",
  },
  "what happens in a frame": { page: `<iframe title="In" src="/inner"></iframe>`, target: "iframe" },
  "a lazy frame at the end of the page": {
    page: `${FAR}<iframe loading="lazy" title="In" src="/inner"></iframe>`,
    target: "iframe",
  },
  "a placeholder that is swapped": {
    page: `<div id="box" aria-busy="true"><div class="skeleton" style="width: 300px; height: 40px"></div></div>${script(
      `setTimeout(() => { box.removeAttribute("aria-busy"); box.innerHTML = "<img id=late src='data:,'>" }, 4000)`,
    )}`,
  },
  "a placeholder that is swapped when the server says so": {
    page: `<div id="box" aria-busy="true">Loading</div>${script(
      `new EventSource("/events").onmessage = () => { box.ariaBusy = "false"; add() }`,
    )}`,
  },
  "drawn frames": {
    page: script("const begun = performance.now(); const draw = () => performance.now() - begun > 4000 ? add() : requestAnimationFrame(draw); draw()"),
  },
};

const NEVER_ENDS: Record<string, { page: string; late: string }> = {
  "infinite scrolling": {
    page: `<div id="list">${FAR}</div><p id="end">More</p>${script(
      `new IntersectionObserver(([entry]) => {
         if (!entry.isIntersecting) return;
         fetch("/data").then(() => list.insertAdjacentHTML("beforeend", "<p style='height: 900px'>More</p>"));
       }).observe(end)`,
    )}`,
    late: "growing",
  },
  polling: { page: script("const poll = () => fetch('/data').then(() => setTimeout(poll, 400)); poll()"), late: "moving" },
  "an answer that is never given": { page: script("fetch('/never').then(add)"), late: "requests" },
  "a ticking clock": {
    page: `<p id="clock"></p>${script("setInterval(() => { clock.textContent = new Date().toISOString() }, 1000)")}`,
    late: "moving",
  },
  "a carousel": {
    page: `<div id="box"><p>One</p></div>${script(
      `let n = 0; setInterval(() => { box.innerHTML = "<p>" + ["One", "Two", "Three"][++n % 3] + "</p>" }, 4000)`,
    )}`,
    late: "moving",
  },
  "parts that go on saying that they are loading": {
    page: `<div class="skeleton" style="width: 300px; height: 40px"></div>${script("")}`,
    late: "placeholders",
  },
  "another address after 12 s": { page: script("setTimeout(() => { location.href = '/static' }, 10000)"), late: "leaving" },
};

let site: Site;
let scanner: Scanner;
const results = new Map<string, Promise<PageResult>>();

beforeAll(async () => {
  const pages: Record<string, Page> = {
    "/slow": slowly(6_000, "text/plain", "late"),
    "/data": slowly(100, "application/json", "{}"),
    "/module.js": slowly(300, "text/javascript", ADD),
    "/inner": pageWith(after(3_000)).replace("id=\"bare\"", "alt=\"\""),
    "/observe.js": { headers: { "content-type": "text/javascript" }, body: OBSERVE },
    "/never": () => {},
    "/events": (_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
      setTimeout(() => response.write("data: 1\n\n"), 3_000);
    },
    "/static": pageWith("<p>Text</p>"),
    "/still": pageWith(`<p>Text</p>${script("setTimeout(() => {}, 9000)")}`),
    "/account": pageWith(script("setTimeout(() => { location.href = '/login' }, 8000)")),
    "/login": pageWith("<form><label>Password <input type=password></label><button>Sign in</button></form>"),
    "/marked": pageWith(script("addEventListener('load', () => setTimeout(() => { add(); document.body.classList.add('ready') }, 700))")),
  };
  const all = { ...COMES, ...NEVER_ENDS };
  for (const [name, { page }] of Object.entries(all)) pages[pathOf(name)] = pageWith(page);
  site = await openSite(pages);
  // More than the default, for a slow machine. Endless pages start first; the others are checked at the same time.
  scanner = testScanner({ pageSeconds: 45 });
  for (const name of [...Object.keys(NEVER_ENDS), ...Object.keys(COMES)]) results.set(name, check(pathOf(name)));
});
afterAll(async () => {
  await scanner.stop();
  await site.close();
});

const pathOf = (name: string) => `/${name.replaceAll(/\W+/g, "-")}`;
const check = (path: string, request = {}) => scanner.check({ url: site.url(path), standard: WCAG22AA, ...request });

describe("late content is found, and the page counts as complete", () => {
  it.each(Object.keys(COMES))("by %s", async (name) => {
    const result = await results.get(name)!;
    const { target = "" } = COMES[name]!;
    const late = violationsOf(result).filter((each) => each.startsWith(`image-alt ${target}`) && each.endsWith("#late"));
    expect(late).toHaveLength(1);
    expect(expectChecked(result).gaps.late).toEqual(name.includes("server says") ? ["connection"] : []);
  });
});

describe("endless activity is reported", () => {
  it.each(Object.keys(NEVER_ENDS))("%s", async (name) => {
    const result = expectChecked(await results.get(name)!);
    expect(result.gaps.late).toContain(NEVER_ENDS[name]!.late);
    expect(violationsOf(result)).toContain("image-alt #bare");
    expect(result.durationMs).toBeLessThanOrEqual(45_500);
  });
});

describe("a complete page", () => {
  it.each(["/static", "/still"])("has no gap: %s", async (path) => {
    expect(expectChecked(await check(path)).gaps.late).toEqual([]);
  });
});

it("a page that later leads to a sign-in is not checked", async () => {
  expect(await check("/account")).toMatchObject({ status: "failed", reason: "login_required", finalUrl: site.url("/login") });
});

describe("a requested wait", () => {
  it("takes place before the only analysis", async () => {
    const result = await check("/marked", { waitMs: 500, waitFor: "body.ready" });
    expect(violationsOf(result)).toContain("image-alt #late");
    expect(expectChecked(result).gaps.missing).toBeNull();
  });

  it("reports the element that did not appear", async () => {
    const impatient = testScanner({ pageSeconds: 8 });
    const result = await impatient.check({ url: site.url("/static"), standard: WCAG22AA, waitFor: "#never" });
    expect(expectChecked(result).gaps.missing).toMatchObject({ selector: "#never" });
    await impatient.stop();
  });
});
