import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import Stripe from "stripe";
import { newMember } from "../../support/accounts/accounts";
import { setCashier, setPrice } from "../../support/billing/cashier-store";
import { finishedRun } from "../../support/database/finished-runs";
import type { FormBrowser } from "../../support/browser/form-browser";
import { freePort } from "../../support/servers/free-port";
import { legalFolder } from "../../support/billing/legal-folder";
import { mailsTo } from "../../support/servers/outbox";
import { checkedPage } from "../../support/database/page-results";
import { startServer, type TestServer } from "../../support/servers/server";

const CARD = { number: "4242 4242 4242 4242", expiry: "12/34", cvc: "123", do: "pay" };

const dataDir = legalFolder();
let server: TestServer;

beforeAll(async () => {
  const port = await freePort();
  const said = { OPERATOR_TERMS_URL: "https://ada.example/agb", OPERATOR_VAT: "included" };
  server = await startServer({
    browser: false,
    dataDir,
    env: { PORT: String(port), BASE_URL: `http://127.0.0.1:${port}`, TRUST_PROXY: "1", SESSION_SECRET: "s".repeat(40), ...said },
  });
});

afterAll(async () => {
  await server.stop();
  rmSync(dataDir, { recursive: true });
});

const member = () => newMember(server);

/** Order id of a new form on `/setup`. */
async function orderId(browser: FormBrowser): Promise<string> {
  return /name="order" value="([^"]+)"/.exec((await browser.get("/setup")).text)?.[1] ?? "";
}

/** Chooses a plan on `/setup`. @returns the path of the checkout */
async function order(browser: FormBrowser, choice: string, url = ""): Promise<string> {
  const id = await orderId(browser);
  const answer = await browser.post("/setup", { order: id, choice, url });
  expect(answer.status).toBe(303);
  return new URL(answer.location ?? "", server.origin).pathname;
}

const isLetIn = async (browser: FormBrowser) => (await browser.get("/runs")).status === 200;

test("prices come from the provider: euro on German pages, dollars on English ones", async () => {
  setPrice(server, "rampe_basic_month", { eur: 1_234, usd: 5_678 });
  const home = async (locale: string) => (await fetch(server.origin, { headers: { "Accept-Language": locale } })).text();
  expect(await home("de")).toContain("12,34\u00A0€");
  expect(await home("en")).toContain("$56.78");
  expect((await (await member()).get("/setup")).text).toContain("12,34\u00A0€");
});

test("a user who never returns from the checkout is entitled", async () => {
  const browser = await member();
  expect(await isLetIn(browser)).toBe(false);
  const checkout = await order(browser, "pro month", "https://example.org/page");
  const paid = await browser.post(checkout, CARD);
  expect(paid.status).toBe(303);
  await expect.poll(() => isLetIn(browser)).toBe(true);
  const registered = async () => (await browser.get("/profile/urls")).text.includes("https://example.org");
  await expect.poll(registered).toBe(true);
});

test("a buyer whose stored credentials are lost is told why no scan has begun, and starts it with new ones", async () => {
  const browser = await member();
  const url = "https://shop.example/";
  const schedule = { owner: browser.id, url, scope: "site", every: "week", level: "AA", mails: 1, access: "1.of another key" } as const;
  const db = await server.database();
  await db.insertInto("schedule").values({ id: "lost", ...schedule, anchor_at: 1, next_run_at: Date.now() + 3_600_000, created_at: 1 }).execute();
  const { location } = await browser.post(await order(browser, "pro month", url), CARD);
  const { text } = await browser.get(location ?? "");
  expect([text.includes("lassen sich nicht mehr lesen"), text.includes(`href="/runs/new?url=${encodeURIComponent(url)}"`)]).toEqual([true, true]);
  // Scans of one page, from before the order, and the scan started by the buyer.
  const at = Date.now();
  const scans = [{ at: at - 3_600_000 }, { at, scope: "page" as const }, { at: at - 1 }];
  const found: string[] = [];
  for (const scan of scans) {
    const { id } = await finishedRun(db, [checkedPage({ url })], { owner: browser.id, url, ...scan });
    found.push(`/run/${id}`);
    const shown = (await browser.get(location ?? "")).text;
    expect([shown.includes("lassen sich nicht mehr lesen"), found.filter((path) => shown.includes(`href="${path}"`))]).toEqual(found.length < 3 ? [true, []] : [false, [`/run/${id}`]]);
  }
});

test("the same form sent twice is one order, and one checkout", async () => {
  const browser = await member();
  const fields = { order: await orderId(browser), choice: "basic once", url: "" };
  const answers = await Promise.all([browser.post("/setup", fields), browser.post("/setup", fields)]);
  expect(answers.map(({ status }) => status)).toEqual([303, 303]);
  expect(new Set(answers.map(({ location }) => location)).size).toBe(1);
});

test("a form for a link by mail that is sent twice at once brings one mail", async () => {
  const browser = await member();
  const fields = { order: await orderId(browser), choice: "basic once", url: "", way: "link" };
  const answers = await Promise.all([browser.post("/setup", fields), browser.post("/setup", fields)]);
  expect(answers.map(({ status }) => status)).toEqual([303, 303]);
  expect(answers[0]?.location).toMatch(/^\/setup\/done\?order=/);
  const links = () => mailsTo(server.dataDir, browser.person.email).filter(({ link }) => link.startsWith("/cashier/pay/"));
  await expect.poll(() => links().length).toBe(1);
  expect((await browser.get(links()[0]?.link ?? "")).status).toBe(200);
});

test("an order by invoice that is sent twice at once, and again from a new form, is one invoice with one mail", async () => {
  const browser = await member();
  const send = async (id: string) => {
    const fields = { order: id, choice: "pro month", url: "https://example.org/", way: "invoice" };
    const confirm = await browser.post("/setup", fields);
    expect(confirm.location).toMatch(/^\/setup\/invoice\?/);
    expect((await browser.get(confirm.location ?? "")).text).toContain("Zahlungspflichtig bestellen");
    return browser.post("/setup/invoice", fields);
  };
  const id = await orderId(browser);
  const answers = [...(await Promise.all([send(id), send(id)])), await send(await orderId(browser))];
  expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
  expect(new Set(answers.map(({ location }) => location)).size).toBe(1);
  const invoices = () => mailsTo(server.dataDir, browser.person.email).filter(({ link }) => link.startsWith("/cashier/invoice/"));
  await expect.poll(() => invoices().length).toBe(1);
  expect(await isLetIn(browser)).toBe(false);
  expect((await browser.get("/setup")).text.match(/href="\/cashier\/invoice\//g)).toHaveLength(1);
  const another = { order: await orderId(browser), choice: "basic month", url: "", way: "invoice" };
  const refused = await browser.post(`/setup/invoice?${new URLSearchParams(another)}`, another);
  expect([refused.status, refused.text.match(/href="\/cashier\/invoice\//g)?.length]).toEqual([409, 1]);
  expect(refused.text).toContain("Sie haben schon einen Tarif bestellt");
  expect((await browser.post(invoices()[0]?.link ?? "", CARD)).status).toBe(303);
  await expect.poll(() => isLetIn(browser)).toBe(true);
});

test("the state of an order is only for its owner", async () => {
  const [browser, other] = [await member(), await member()];
  const fields = { order: await orderId(browser), choice: "basic once", url: "", way: "link" };
  const done = (await browser.post("/setup", fields)).location ?? "";
  expect((await browser.get(done)).status).toBe(200);
  const [foreign, missing] = [await other.get(done), await other.get("/setup/done?order=none")];
  expect([foreign.status, foreign.location]).toEqual([missing.status, missing.location]);
  expect(foreign.location).toBe("/setup");
});

test("a form that is not ours is refused", async () => {
  const browser = await member();
  const fields = { order: await orderId(browser), choice: "basic once", url: "", way: "checkout" };
  for (const wrong of [{ way: "gift" }, { choice: "free month" }, { order: "" }]) {
    const answer = await browser.post("/setup", { ...fields, url: "shop.example/typed", ...wrong });
    expect(answer.status).toBe(422);
    expect(answer.text).toContain("Diese Bestellung ist unvollständig angekommen");
    expect(answer.text).toContain('value="shop.example/typed"');
  }
  const shown = { ...fields, choice: "basic month" };
  const refused = await browser.post(`/setup/invoice?${new URLSearchParams(shown)}`, { ...shown, choice: "free month" });
  expect(refused.status).toBe(422);
  expect(refused.text).toContain("Diese Bestellung ist unvollständig angekommen");
  expect((await browser.get("/setup/invoice")).location).toBe("/setup");
});

test("a purchase covers its number of websites, also for concurrent requests", async () => {
  const browser = await member();
  await browser.post(await order(browser, "pro month"), CARD);
  await expect.poll(() => isLetIn(browser)).toBe(true);
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) => browser.post("/profile/urls", { url: `https://site${index}.example.org` })),
  );
  expect(answers.filter(({ status }) => status === 303)).toHaveLength(5);
  expect(answers.filter(({ status }) => status === 422)).toHaveLength(45);
  const removals = async () => (await browser.get("/profile/urls")).text.match(/\/profile\/urls\/remove\?website=\d+/g) ?? [];
  const [first = "", ...others] = await removals();
  expect(others).toHaveLength(4);
  for (const click of ["first", "second"]) expect(await browser.post(first), click).toMatchObject({ status: 303, location: "/profile/urls" });
  expect(await removals()).toEqual(others);
});

test("an account with an active subscription cannot be deleted", async () => {
  const browser = await member();
  await browser.post(await order(browser, "basic month"), CARD);
  await expect.poll(() => isLetIn(browser)).toBe(true);
  const answer = await browser.post("/account/delete", { confirmed: "yes", currentPassword: browser.person.password });
  expect(answer.status).toBe(422);
  expect(answer.text).toContain("Kündigen Sie ihn zuerst");
  expect(await isLetIn(browser)).toBe(true);
});

test("a deleted account leaves no payable order; the deletion waits for an unavailable provider", async () => {
  const browser = await member();
  const checkout = await order(browser, "basic once");
  const remove = () => browser.post("/account/delete", { confirmed: "yes", currentPassword: browser.person.password });
  setCashier(server, "down");
  const refused = await remove();
  setCashier(server, "up");
  expect(refused.status).toBe(503);
  expect(refused.text).toContain("Der Zahlungsdienst antwortet nicht");
  expect((await remove()).location).toBe("/");
  expect((await browser.post(checkout, CARD)).status).toBe(410);
});

test("an event without a valid and recent signature changes nothing", async () => {
  const payload = JSON.stringify({ id: "evt_forged", object: "event", type: "customer.updated", created: 1, data: { object: {} } });
  const stripe = new Stripe("sk_test_none");
  const send = async (signature: string) =>
    (await fetch(`${server.origin}/webhooks/stripe`, { method: "POST", body: payload, headers: { "Stripe-Signature": signature } })).status;
  const old = Math.floor(Date.now() / 1_000) - 301;
  expect(await send("")).toBe(400);
  expect(await send("t=1,v1=00")).toBe(400);
  expect(await send(stripe.webhooks.generateTestHeaderString({ payload, secret: "whsec_wrong" }))).toBe(400);
  expect(await send(stripe.webhooks.generateTestHeaderString({ payload, secret: "whsec_wrong", timestamp: old }))).toBe(400);
  expect((await fetch(`${server.origin}/webhooks/stripe`)).status).toBe(405);
  const db = await server.database();
  expect(await db.selectFrom("billing_event").select("id").where("id", "=", "evt_forged").execute()).toEqual([]);
});

test("no secret of the provider reaches the browser", async () => {
  const browser = await member();
  const answers = await Promise.all(["/", "/setup", "/profile/general", "/login"].map((page) => browser.get(page)));
  const checkout = await browser.get(await order(browser, "basic month"));
  const client = fileURLToPath(new URL("../../../build/client", import.meta.url));
  const files = readdirSync(client, { recursive: true, encoding: "utf8" }).map((name) => path.join(client, name));
  const texts = files.filter((file) => statSync(file).isFile()).map((file) => readFileSync(file, "latin1"));
  for (const text of [...answers.map((answer) => answer.text), checkout.text, ...texts]) {
    expect(text).not.toMatch(/sk_(test|live)_|rk_live_|whsec_/);
  }
});

test("the operator's terms are shown before a purchase: at prices, orders, the checkout, in mails and footers", async () => {
  const german = { "Accept-Language": "de" };
  const page = async (path: string, headers: Record<string, string> = german) =>
    fetch(`${server.origin}${path}`, { headers, redirect: "manual" });
  const vat = "Alle Preise verstehen sich inkl. MwSt.";
  const texts = ['href="https://ada.example/agb"', 'href="/widerruf"'];

  const home = await (await page("/")).text();
  for (const text of ["inkl. MwSt.", ...texts]) expect(home).toContain(text);
  const imprint = await (await page("/impressum")).text();
  for (const text of [vat, ...texts]) expect(imprint).toContain(text);

  expect((await page("/agb")).headers.get("location"), "given elsewhere").toBe("https://ada.example/agb");
  const withdrawal = await (await page("/withdrawal", { "Accept-Language": "en" })).text();
  expect(withdrawal).toContain("<h1>Right of withdrawal</h1>");
  expect(withdrawal, "in the language it is written in").toMatch(/<section lang="de">/);
  expect(withdrawal).toContain("<h2>§ 1 Geltung</h2>");
  expect(withdrawal).toContain("&lt;b&gt;Markup&lt;/b&gt;");

  const browser = await member();
  const main = (html: string) => html.slice(html.indexOf("<main"), html.indexOf("</main>"));
  for (const text of [vat, ...texts]) expect(main((await browser.get("/setup")).text)).toContain(text);
  const id = await orderId(browser);
  const confirm = (await browser.post("/setup", { order: id, choice: "basic once", url: "", way: "invoice" })).location ?? "";
  const confirmation = main((await browser.get(confirm)).text);
  for (const text of [vat, ...texts, "Zahlungspflichtig bestellen"]) expect(confirmation).toContain(text);
  const checkout = (await browser.get(await order(browser, "basic month"))).text;
  for (const text of [vat, texts[0] ?? "", `href="${server.origin}/widerruf"`]) expect(checkout).toContain(text);

  const fields = Object.fromEntries(new URL(confirm, server.origin).searchParams) as Record<string, string>;
  expect((await browser.post("/setup/invoice", fields)).status).toBe(303);
  await expect.poll(() => mailsTo(server.dataDir, browser.person.email).map(({ text }) => text).join(), { timeout: 20_000 }).toContain(
    `Widerrufsbelehrung: ${server.origin}/widerruf`,
  );
});
