import type { BrowserContext, Page } from "puppeteer";
import type { Locale } from "~/platform/i18n/i18n";
import { orderCheck, startBenchServer } from "./bench-server";
import { openDemoSite } from "../../support/scan/demo-site";
import { PATTERN_PAGES, plainPages } from "../../support/browser/own-pages";
import type { TestServer } from "../../support/servers/server";
import type { Site } from "../../support/scan/site";

/** Public page of ours, in one of its states. */
export interface PublicView {
  name: string;
  path: string;
  /** Whether its form is sent unchanged, and refused. */
  refused?: true;
  /** Whether the menu of small screens is open. */
  menu?: true;
}

export interface PublicSite {
  origin: string;
  views: PublicView[];
  stop(): Promise<void>;
}

const OPERATOR = {
  OPERATOR_NAME: "Beispiel GmbH",
  OPERATOR_ADDRESS: "Beispielstraße 1, 10115 Berlin",
  OPERATOR_EMAIL: "hilfe@example.org",
  OPERATOR_PHONE: "+49 30 1234567",
};

/** Pages with a form that is sent unchanged, and therefore refused. */
const REFUSED = ["/", "/contact", "/login", "/register", "/forgot-password"];

const MOST_ANSWERS = 10;

const ANSWERED = "/bfsg/check?offer=contract&audience=consumers&staff=many&money=large";

/** Starts the built server with an operator and two finished checks; `names` limit the views to those that contain one. */
export async function openPublicSite(names: string[] = []): Promise<PublicSite> {
  const site = await openDemoSite();
  const server = await startBenchServer(site, OPERATOR);
  const views = await allViews(server, site);
  return {
    origin: server.origin,
    views: views.filter(({ name }) => names.length === 0 || names.some((part) => name.includes(part))),
    async stop() {
      await server.stop();
      await site.close();
    },
  };
}

async function allViews(server: TestServer, site: Site): Promise<PublicView[]> {
  const [found, failed] = [await finished(server, site.url("/barriers")), await finished(server, site.url("/nothing"))];
  const states: Record<string, PublicView[]> = {
    "/check/:id": [
      { name: "a result", path: found },
      { name: "a failed check", path: failed },
    ],
    "/sample/:category": [named("/sample/violations")],
    "/sample/:category/:rule": [named("/sample/violations/color-contrast")],
    "/sample/:category/:rule/:page/:position": [named("/sample/violations/image-alt/1/0")],
    "/rules/:id": [named("/rules/image-alt")],
    "/*": [{ name: "an error page", path: "/no/such/page" }],
  };
  return [
    ...(await plainPages(server.origin)).map(named),
    ...PATTERN_PAGES.flatMap((pattern) => states[pattern] ?? unknown(pattern)),
    ...REFUSED.map((path): PublicView => ({ name: `${path}, refused`, path, refused: true })),
    { name: "/, menu open", path: "/", menu: true },
    { name: "/bfsg/check, refused", path: "/bfsg/check?sent=" },
    { name: "/bfsg/check, answered", path: ANSWERED },
    { name: "/contact, sent", path: "/contact?sent" },
    { name: "/login, registered", path: "/login?registered" },
  ];
}

const named = (path: string): PublicView => ({ name: path, path });

function unknown(pattern: string): never {
  throw new Error(`Nobody has said here in which states there is a page at ${pattern}.`);
}

/** Requests a check and waits for its end. @returns the path of its page */
async function finished(server: TestServer, url: string): Promise<string> {
  const address = await orderCheck(server, url);
  // Long polling: each answer comes at the end of the check, or after some seconds.
  for (let asked = 0; asked < MOST_ANSWERS; asked += 1) {
    const html = await (await fetch(address)).text();
    if (!html.includes("progress-track")) return new URL(address).pathname;
  }
  throw new Error(`The check of ${url} does not end.`);
}

/** Opens a view and unfolds all its `details`. @returns the page, and its HTML as sent by the server */
export async function openView(
  context: BrowserContext,
  origin: string,
  { name, path, refused, menu }: PublicView,
  locale: Locale,
): Promise<{ page: Page; html: string }> {
  const page = await context.newPage();
  await page.setViewport({ width: 1280, height: 800 });
  // The judges are scripts, which the policy of our pages would block.
  await page.setBypassCSP(true);
  await page.setExtraHTTPHeaders({ "Accept-Language": locale });
  const opened = await page.goto(`${origin}${path}`, { waitUntil: "networkidle0" });
  // Without our scripts, so that the answer is a document.
  const submit = () => page.$eval("main form", (form) => form.submit());
  const [answer] = refused ? await Promise.all([page.waitForNavigation({ waitUntil: "networkidle0" }), submit()]) : [opened];
  if (!answer || answer.status() >= 500) throw new Error(`${name} (${locale}) does not open.`);
  const folded = menu ? "header details, main details" : "main details";
  await page.$$eval(folded, (all) => all.forEach((each) => (each.open = true)));
  return { page, html: await answer.text() };
}
