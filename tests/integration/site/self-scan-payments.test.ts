import { rmSync } from "node:fs";
import type { Browser, Page } from "puppeteer";
import { afterAll, beforeAll } from "vitest";
import { LOCALES, type Locale } from "~/platform/i18n/i18n";
import { newMember, type Member } from "../../support/accounts/accounts";
import type { FormBrowser } from "../../support/browser/form-browser";
import { freePort } from "../../support/servers/free-port";
import { legalFolder } from "../../support/billing/legal-folder";
import { openBrowser } from "../../support/browser/browser";
import { look, promiseCleanViews, shareOf, type Analyses, type View } from "../../support/browser/self-scan";
import { startServer, type TestServer } from "../../support/servers/server";

const CARD = { number: "4242 4242 4242 4242", expiry: "12/34", cvc: "123", do: "pay" };

let dataDir: string;
let server: TestServer;
let browser: Browser;
const analyses: Analyses = new Map();

beforeAll(async () => {
  const port = await freePort();
  const env = { PORT: String(port), BASE_URL: `http://127.0.0.1:${port}`, TRUST_PROXY: "1", OPERATOR_EMAIL: "hilfe@example.org", OPERATOR_VAT: "none" };
  dataDir = legalFolder();
  [server, browser] = await Promise.all([startServer({ browser: false, env, dataDir }), openBrowser()]);
  await Promise.all(LOCALES.map(async (locale) => look(browser, server.origin, shareOf(await allViews(locale), locale), locale, analyses)));
});

afterAll(async () => {
  await browser.close();
  await server.stop();
  rmSync(dataDir, { recursive: true });
});

/** Sends the form of `/setup`. @returns the next address */
async function order(visitor: FormBrowser, choice: string, way: string, url = ""): Promise<string> {
  const id = /name="order" value="([^"]+)"/.exec((await visitor.get("/setup")).text)?.[1] ?? "";
  return (await visitor.post("/setup", { order: id, choice, way, url })).location ?? "";
}

async function allViews(locale: Locale): Promise<View[]> {
  const [visitor, several] = await Promise.all([newMember(server, { language: locale }), newMember(server, { language: locale })]);
  const checkout = await order(visitor, "pro month", "checkout", "https://www.example.org/");
  const declined = await order(visitor, "basic once", "checkout");
  const paid = await visitor.post(checkout, CARD);
  const mailed = await order(visitor, "basic month", "link");
  const confirm = await order(visitor, "basic once", "invoice", "https://www.example.com/");
  const fields = Object.fromEntries(new URL(confirm, server.origin).searchParams) as Record<string, string>;
  const invoiced = (await visitor.post("/setup/invoice", fields)).location ?? "";
  const invoice = /href="(\/cashier\/invoice\/[^"]+)"/.exec((await visitor.get("/setup")).text)?.[1] ?? "";
  const portal = (await visitor.post("/profile/billing", {})).location ?? "";
  const clock = /href="(\/cashier\/clock\/sub_[^"]+)"/.exec((await visitor.get(portal)).text)?.[1] ?? "";
  await beSeveral(several);

  const pages: [name: string, path: string, prepare?: View["prepare"]][] = [
    ["the operator's terms", "/terms"],
    ["how to withdraw", "/withdrawal"],
    ["plans beside what was bought and an open invoice", "/setup"],
    ["plans for an address that is refused", "/setup", submitWrongAddress],
    ["a profile with purchases", "/profile/general"],
    ["registered websites", "/profile/urls"],
    ["an order by invoice", confirm],
    ["an invoice that was sent", invoiced],
    ["a link that was sent", mailed],
    ["an order that is paid", new URL(paid.location ?? "", server.origin).pathname + new URL(paid.location ?? "", server.origin).search],
    ["the cashier", declined],
    ["the cashier, with a refused card", declined, submitNoCard],
    ["the cashier, with what is over", checkout],
    ["the cashier's portal", portal],
    ["an invoice", invoice],
    ["the cashier's clock", clock],
  ];
  return [
    ...pages.map(([name, address, prepare]) => ({ name, path: address, prepare, cookie: visitor.cookie })),
    { name: "several customers", path: "/setup", cookie: several.cookie },
  ];
}

/** Simulates several customers of a user at the provider. */
async function beSeveral({ id }: Member): Promise<void> {
  const db = await server.database();
  await db.insertInto("customer").values({ user_id: id, customer_id: null, several: 2, reconciled_at: null }).execute();
}

async function submitWrongAddress(page: Page): Promise<void> {
  await page.type("#url", "not an address");
  await page.click("form.plan-form button[name=choice]");
  await page.waitForSelector(".error-summary");
}

async function submitNoCard(page: Page): Promise<void> {
  await Promise.all([page.waitForNavigation(), page.click("button[value=pay]")]);
}

promiseCleanViews(analyses, 15);
