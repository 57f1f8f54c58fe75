import { setTimeout as delay } from "node:timers/promises";
import { EventEmitter, type CDPSession, type Page } from "puppeteer";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import criteria from "locales/en/criteria.json";
import texts from "locales/en/rules.json";
import { openBrowser } from "../../support/browser/browser";
import { freshFolder } from "../../support/servers/fresh-folder";
import { expectChecked, testScanner, WCAG22AA } from "../../support/scan/scanner";
import { openSite, pageWith } from "../../support/scan/site";
import { openWatchedSite } from "../../support/scan/watched-site";
import { AWAY, besides, LEAVING, MARKED, SCRIPTED, type Ports, type Ways } from "../../support/scan/network-exits";

/** Events during the interaction with a page; each of them must occur. */
const USED = [
  ..."keydown keypress keyup focus focusin focusout blur click".split(" "),
  ..."pointermove pointerover pointerout pointerenter pointerdown pointerup mousemove mouseover mouseout mouseenter mouseleave mousedown mouseup".split(" "),
  ..."beforeinput input change invalid submit toggle beforetoggle cancel close hashchange popstate scroll selectionchange transitionstart animationstart".split(" "),
];
/** Events that also, or only, occur before the connection is cut. */
const EARLIER = ["resize", "load"];
const ON_LEAVING = ["visibilitychange", "beforeunload", "pagehide", "unload"];

/** All kinds of controls. */
const CONTROLS = `<a href="#end" id="skip">Skip to content</a>
  <style>#tip { display: none } #hint:hover + #tip, #hint:focus + #tip { display: block; animation: show 0.2s } #hint { transition: color 0.1s } #hint:hover { color: #000 } @keyframes show { from { opacity: 0.5 } }
    #hint:hover { background-image: url(/out/style/hover) } :focus { background-image: url(/out/style/focus) } :focus-within { border-image-source: url(/out/style/focusin) }
    :user-invalid { background-image: url(/out/style/invalid) } details[open] { background-image: url(/out/style/toggle) } dialog[open] { background-image: url(/out/style/dialog) } :popover-open { background-image: url(/out/style/popover) }</style>
  <input type="checkbox" id="check" aria-label="Details" aria-expanded="false" onchange="checked.hidden = !this.checked; this.ariaExpanded = String(this.checked)"><div id="checked" hidden><p>Bikes</p></div>
  <button type="button" aria-haspopup="dialog" class="dialog" onclick="box.showModal()">Dialog</button><dialog id="box" aria-label="Dialog"><p>Planes</p><form method="dialog"><button>Close</button></form></dialog>
  <button type="button" popovertarget="pop" class="pop">More</button><div id="pop" popover><p>Ferries</p></div>
  <details><summary>Question</summary><p>Answer</p><img alt="Lazy" loading="lazy" src="/out/lazy/toggle"></details>
  <button type="button" id="pointed" onmousedown="pressed.hidden = !pressed.hidden">Press</button><div id="pressed" hidden><p>Buses</p></div>
  <button type="button" id="hint">Fares</button><div id="tip">All fares in euros</div>
  <ul role="listbox" aria-label="Town" tabindex="0"><li role="option" aria-selected="true">Aachen</li><li role="option" aria-selected="false">Bonn</li></ul>
  <input id="search" aria-label="Search">
  <form action="/out/plain/submit"><label>Place (required) <input id="place" required></label><button>Held back</button></form>
  <form action="/out/plain/submit" method="post" novalidate><label>Street (required) <input id="street" required></label><button>Sent</button></form>
  <form id="form" hidden></form><div id="hold" style="position: absolute; width: 9px; height: 9px; overflow: hidden"></div>
  <iframe name="inner" title="Inner" tabindex="-1" srcdoc="<script>onmessage = ({ data }) => fetch(data)</script>"></iframe>
  <p id="end">End</p><div style="height: 3000px"></div>`;

interface PageOptions {
  /** Kinds of events. */
  events?: string[];
  /** Script that runs first. */
  before?: string;
  /** Only one way per event, in turns, and none before the first key, because the page may navigate. */
  away?: boolean;
}

/** Page that tries to send data: in all ways at the first event of each kind, and again after the first key, when the connection is cut. */
function pageOf(ways: Ways, { events = [...USED, ...EARLIER], before = "", away = false }: PageOptions = {}): string {
  const script = `const before = {}; ${before}
    const ways = [${Object.entries(ways).map(([name, code]) => `["${name}", (to) => { ${code} }]`).join()}];
    const tried = new Map();
    let isUsed = false;
    function hear({ type, isTrusted, key }) {
      isUsed ||= type === "keydown";
      if (!isTrusted) return;
      const times = (tried.get(type + isUsed) ?? 0) + 1;
      tried.set(type + isUsed, times);
      if (${away} ? isUsed && times <= ways.length : times === 1) tryOut(type, ${away} ? [ways[(times + type.length) % ways.length]] : ways);
      if (key === "a") search.focus();
    }
    function tryOut(type, some) {
      for (const [name, way] of some) { try { Promise.resolve(way("/out/" + name + "/" + type)).catch(() => {}) } catch {} }
      setTimeout(() => hold.replaceChildren(), 300);
    }
    for (const type of ${JSON.stringify(events)}) for (const target of [window, document]) target.addEventListener(type, hear, true);
    for (const type of ${JSON.stringify(ON_LEAVING)}) addEventListener(type, () => tryOut(type, ${JSON.stringify(Object.keys(LEAVING))}.flatMap((name) => ways.filter((way) => way[0] === name))), true);
    new Worker(URL.createObjectURL(new Blob(["fetch('" + location.origin + "/held')"])));`;
  return pageWith(`${CONTROLS}<script>${script}</script>`);
}

/** Workers, sockets and frames opened before the interaction, and used during it. */
const OPENED = `before.worker = new Worker("/script/worker");
  before.shared = new SharedWorker("/script/shared");
  before.socket = new WebSocket("ws://" + location.host + "/socket");
  navigator.serviceWorker.register("/script/worker", { scope: "/" }).then(() => navigator.serviceWorker.ready).then((service) => { before.service = service });
  document.querySelector("main").insertAdjacentHTML("beforeend", "<iframe name=far title=Far tabindex=-1 src='http://localhost:" + location.port + "/far'></iframe>");`;

/** A rewritten document replaces the page; browsers cannot prevent that. */
const GOES = `let keys = 0; addEventListener("keydown", () => { keys += 1; if (keys > 30) location = "javascript:'<p>Gone'" });`;

/** Time after a scan until its tab is closed. */
const CLOSED_WITHIN_MS = 1_500;
/** Maximum delay between the page's first key and the cut at the site. */
const SEEN_WITHIN_MS = 250;

const MOST_TRIES = 3;
const ARRIVED_WITHIN_MS = 20_000;

interface Case {
  body: (ports: Ports) => string;
  ways: string[];
  /** Ways whose refusal the browser does not report: they are only counted. */
  untold: string[];
}

const SCRIPTS: Case = { body: () => pageOf(SCRIPTED), ways: Object.keys(SCRIPTED), untold: ["later", "socket", "violation", "window", "no-opener"] };
const ELEMENTS: Case = { body: () => pageOf({ ...LEAVING, ...MARKED }), ways: Object.keys(MARKED), untold: ["prefetch"] };
const BESIDES: Case = {
  body: (ports) => pageOf({ ...LEAVING, ...besides(ports) }, { before: OPENED }),
  ways: Object.keys(besides()),
  untold: ["worker-blob", "shared-worker", "service-worker", "open-shared-worker", "open-service-worker", "open-socket", "preconnect", "stun", "turn", "quic"],
};
const OTHER_PAGES: Case = { body: () => pageOf({ ...LEAVING, ...AWAY }, { away: true }), ways: Object.keys(AWAY), untold: ["form-in-a-window", "speculation"] };
const LEFT_PAGE: Case = { body: () => pageOf(LEAVING, { before: GOES }), ways: Object.keys(LEAVING), untold: ["later"] };

describe("nothing leaves the browser while a page is used", () => {
  const scanner = testScanner({ ruleTexts: { ...texts, criteria }, pageSeconds: 90 });
  afterAll(() => scanner.stop());

  /** All requests that were stopped in the browser, by its events. */
  const stopped: { url: URL; at: number }[] = [];
  beforeAll(() => {
    const { emit } = EventEmitter.prototype;
    vi.spyOn(EventEmitter.prototype, "emit").mockImplementation(function (this: EventEmitter<Record<string, unknown>>, type, event) {
      if (type === "Fetch.requestPaused") stopped.push({ url: new URL((event as { request: { url: string } }).request.url), at: performance.now() });
      return emit.call(this, type, event);
    });
  });
  afterAll(() => vi.restoreAllMocks());

  /** @returns ways and events of the reported trials since the cut */
  async function tryOut({ body, ways, untold }: Case): Promise<{ way: string; type: string }[]> {
    const site = await openWatchedSite(body);
    try {
      const { findings } = expectChecked(await scanner.check({ url: site.url("/"), standard: WCAG22AA, advanced: true }));
      expect(findings.violations.map(({ ruleId }) => ruleId)).toContain("image-alt");
      await delay(CLOSED_WITHIN_MS);
      expect(site.sinceCut()).toEqual({ requests: [], connections: 0, datagrams: 0 });
      const trials = stopped.flatMap(({ url: { port, pathname }, at }) => (port === String(site.port) ? [{ way: pathname.split("/")[2] ?? "", type: pathname.split("/")[3] ?? "", at }] : []));
      expect(trials.map(({ way }) => way)).toEqual(expect.arrayContaining(ways.filter((way) => !untold.includes(way))));
      expect(site.cutAt()).toBeLessThan((trials.find(({ type }) => type === "keydown")?.at ?? 0) + SEEN_WITHIN_MS);
      return trials;
    } finally {
      await site.close();
    }
  }

  it("by any way that keeps the page, at any event", async () => {
    const trials = [...(await tryOut(SCRIPTS)), ...(await tryOut(ELEMENTS)), ...(await tryOut(BESIDES))];
    const heardBy = (way: string) => trials.flatMap((trial) => (trial.way === way ? [trial.type] : []));
    expect(heardBy("fetch")).toEqual(expect.arrayContaining(USED));
    expect(heardBy("style")).toEqual(expect.arrayContaining(["hover", "focus", "dialog", "popover"]));
  });

  it("by any way that leads to another page", async () => {
    const trials = await tryOut(OTHER_PAGES);
    const types = trials.flatMap(({ way, type }) => (way in AWAY ? [type] : []));
    expect(types).toEqual(expect.arrayContaining(["keydown", "keyup", "focusin", "blur", "click", "pointermove", "mouseover"]));
  });

  it("by what a page sends when it goes", async () => {
    const types = (await tryOut(LEFT_PAGE)).map(({ type }) => type);
    expect(types).toEqual(expect.arrayContaining(["pagehide", "visibilitychange", "unload"]));
  });

  it("and nothing is used where the connection cannot be cut", async () => {
    const browser = await openBrowser();
    const sessions = Object.getPrototypeOf(await browser.target().createCDPSession()) as CDPSession;
    const { send } = sessions;
    const never = vi.spyOn(sessions, "send").mockImplementation(function (this: CDPSession, ...request) {
      return request[0] === "Page.stopLoading" ? new Promise(() => {}) : send.apply(this, request);
    } as CDPSession["send"]);
    const asked: string[] = [];
    const site = await openSite({
      "/": pageWith(`${CONTROLS}<script>for (const type of ["keydown", "focusin", "click", "mousemove", "submit"]) addEventListener(type, () => fetch("/out/" + type), true)</script>`),
      ...Object.fromEntries(["keydown", "focusin", "click", "mousemove", "submit"].map((type) => [`/out/${type}`, (_request: unknown, response: { end: () => void }) => { asked.push(type); response.end(); }])),
    });
    try {
      const page = expectChecked(await scanner.check({ url: site.url("/"), standard: WCAG22AA, advanced: true }));
      expect(asked).toEqual([]);
      expect(page.partial).toEqual(expect.arrayContaining(["rampe-keyboard-trap", "rampe-hover-content", "rampe-expanded-state", "rampe-error-in-text"]));
      expect(page.gaps.offline).toBeUndefined();
    } finally {
      never.mockRestore();
      await site.close();
      await browser.close();
    }
  });

  it("although each of these ways leads to the server as long as there is a connection", async () => {
    const browser = await openBrowser();
    const context = await browser.createBrowserContext({ downloadBehavior: { policy: "allow", downloadPath: freshFolder() } });
    const away = Object.entries(AWAY).map(([way, code]): Case => ({ body: () => pageOf({ [way]: code }, { away: true }), ways: [way], untold: [] }));
    try {
      for (const each of [SCRIPTS, ELEMENTS, BESIDES, ...away]) await arrive(each);
      // The browser may cancel a plain `fetch` of a leaving page before it is sent.
      await arrive({ ...LEFT_PAGE, ways: LEFT_PAGE.ways.filter((way) => way !== "fetch") }, "pagehide", (page) => page.goto("about:blank"));
      await arrive({ ...LEFT_PAGE, ways: ["style"] }, "hover", (page) => page.hover("#hint"));
    } finally {
      await browser.close();
    }

    /** Repeats the page: a window of an earlier page may take the focus. */
    async function arrive({ body, ways }: Case, type = "", use?: (page: Page) => Promise<unknown>): Promise<void> {
      const site = await openWatchedSite(body);
      // The headless shell does not preconnect.
      const expected = ways.filter((way) => way !== "preconnect");
      const missing = () => expected.filter((way) => !site.hasArrived(way, type));
      try {
        for (let tries = 0; tries < MOST_TRIES && missing().length > 0; tries += 1) {
          const page = await context.newPage();
          await page.goto(site.url("/"));
          await page.bringToFront();
          // A page does not answer any more when it navigates.
          void page.keyboard.press("Tab").catch(() => {});
          if (use) await page.waitForFunction(() => document.activeElement !== document.body).then(() => use(page));
          await vi.waitFor(() => expect(missing()).toEqual([]), { timeout: ARRIVED_WITHIN_MS }).catch(() => {});
        }
        expect(missing()).toEqual([]);
      } finally {
        await site.close();
      }
    }
  });
});
