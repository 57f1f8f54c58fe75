import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { openSqlite } from "db/sqlite.server";
import { afterAll, beforeAll, expect, test } from "vitest";
import Stripe from "stripe";
import { freePort } from "../support/free-port";
import { openFormBrowser, type FormBrowser } from "../support/form-browser";
import { startServer, type TestServer } from "../support/server";

const PASSWORD = "korrekt pferd batterie klammer";
const CARD = { number: "4242 4242 4242 4242", expiry: "12/34", cvc: "123", do: "pay" };

let server: TestServer;
let people = 0;

beforeAll(async () => {
  const port = await freePort();
  server = await startServer({
    env: { PORT: String(port), BASE_URL: `http://127.0.0.1:${port}`, TRUST_PROXY: "1", SESSION_SECRET: "s".repeat(40) },
  });
}, 30_000);

afterAll(() => server.stop());

async function member(): Promise<FormBrowser & { email: string }> {
  people += 1;
  const email = `buyer${people}@example.org`;
  const browser = openFormBrowser(server.origin, { "X-Forwarded-For": `203.0.113.${people}`, "Accept-Language": "de" });
  await browser.post("/register", { name: "Ada", email, password: PASSWORD });
  expect((await browser.post("/login", { email, password: PASSWORD })).status).toBe(303);
  return { ...browser, email };
}

/** Chooses a plan on `/setup`. @returns the path of the checkout */
async function order(browser: FormBrowser, choice: string, url = ""): Promise<string> {
  const page = (await browser.get("/setup")).text;
  const id = /name="order" value="([^"]+)"/.exec(page)?.[1] ?? "";
  const answer = await browser.post("/setup", { order: id, choice, url });
  expect(answer.status).toBe(303);
  return new URL(answer.location ?? "", server.origin).pathname;
}

const isLetIn = async (browser: FormBrowser) => (await browser.get("/runs")).status === 200;

test("a browser that never returns from the checkout ends entitled", async () => {
  const browser = await member();
  expect(await isLetIn(browser)).toBe(false);
  const checkout = await order(browser, "pro month", "https://example.org/page");
  const paid = await browser.post(checkout, CARD);
  expect(paid.status).toBe(303);
  await expect.poll(() => isLetIn(browser), { timeout: 10_000 }).toBe(true);
  const registered = async () => (await browser.get("/profile/urls")).text.includes("https://example.org");
  await expect.poll(registered, { timeout: 10_000 }).toBe(true);
});

test("the same form sent twice is one order, and one checkout", async () => {
  const browser = await member();
  const page = (await browser.get("/setup")).text;
  const fields = { order: /name="order" value="([^"]+)"/.exec(page)?.[1] ?? "", choice: "basic once", url: "" };
  const answers = await Promise.all([browser.post("/setup", fields), browser.post("/setup", fields)]);
  expect(answers.map(({ status }) => status)).toEqual([303, 303]);
  expect(new Set(answers.map(({ location }) => location)).size).toBe(1);
});

test("what was bought covers as many websites as it says, however many ask at once", async () => {
  const browser = await member();
  await browser.post(await order(browser, "pro month"), CARD);
  await expect.poll(() => isLetIn(browser), { timeout: 10_000 }).toBe(true);
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) => browser.post("/profile/urls", { url: `https://site${index}.example.org` })),
  );
  expect(answers.filter(({ status }) => status === 303)).toHaveLength(5);
  expect(answers.filter(({ status }) => status === 422)).toHaveLength(45);
  expect((await browser.get("/profile/urls")).text.match(/name="remove"/g)).toHaveLength(5);
});

test("an account is not deleted while its subscription goes on being charged", async () => {
  const browser = await member();
  await browser.post(await order(browser, "basic month"), CARD);
  await expect.poll(() => isLetIn(browser), { timeout: 10_000 }).toBe(true);
  const answer = await browser.post("/account/delete", { confirmed: "yes", currentPassword: PASSWORD });
  expect(answer.status).toBe(422);
  expect(answer.text).toContain("Kündigen Sie ihn zuerst");
  expect(await isLetIn(browser)).toBe(true);
});

test("an event that the provider has not signed, or signed long ago, changes nothing", async () => {
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
  const db = openSqlite(path.join(server.dataDir, "rampe.db"));
  expect(await db.selectFrom("billing_event").select("id").where("id", "=", "evt_forged").execute()).toEqual([]);
  await db.destroy();
});

test("no secret of the provider reaches the browser", async () => {
  const browser = await member();
  const answers = await Promise.all(["/", "/setup", "/profile/general", "/login"].map((page) => browser.get(page)));
  const checkout = await browser.get(await order(browser, "basic month"));
  const client = fileURLToPath(new URL("../../build/client", import.meta.url));
  const files = readdirSync(client, { recursive: true, encoding: "utf8" }).map((name) => path.join(client, name));
  const texts = files.filter((file) => statSync(file).isFile()).map((file) => readFileSync(file, "latin1"));
  for (const text of [...answers.map((answer) => answer.text), checkout.text, ...texts]) {
    expect(text).not.toMatch(/sk_(test|live)_|rk_live_|whsec_/);
  }
});
