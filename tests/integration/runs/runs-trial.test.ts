import type { Db } from "db/schema";
import { afterAll, beforeAll, expect, test } from "vitest";
import { BARRIERS, openDemoSite } from "../../support/scan/demo-site";
import { freePort } from "../../support/servers/free-port";
import { newMember, type Member } from "../../support/accounts/accounts";
import { ENDED, payment, subscribe, subscription } from "../../support/billing/bought";
import { createPurchases } from "~/billing/purchase.server";
import { websiteId } from "~/monitoring/websites/website";
import { storedReport } from "../../support/database/finished-runs";
import { headingOf, idOf, requestScan, scanned, WITHIN, wordsOf } from "../../support/browser/run-pages";
import { startServer, type TestServer } from "../../support/servers/server";
import type { Site } from "../../support/scan/site";

const CARD = { number: "4242 4242 4242 4242", expiry: "12/34", cvc: "123", do: "pay" };
const PARTS = ["violations", "incomplete", "passes", "inapplicable", "criteria", "pages", "changes", "history", "review", "share", "schedule"];
const EXPORTS = ["json", "csv", "sarif", "earl.json", "pdf"].map((format) => `export.${format}`);
const MARKS = ["mark-a", "mark-b", "mark-c", "mark-d"];

let demo: Site;
let server: TestServer;
let db: Db;

beforeAll(async () => {
  demo = await openDemoSite();
  const port = await freePort();
  server = await startServer({
    env: {
      PORT: String(port),
      // Target of links on the cashier's pages.
      BASE_URL: `http://127.0.0.1:${port}`,
      BILLING: "demo",
      TRIAL_SCANS: "2",
      TRUST_PROXY: "1",
      SCAN_ALLOW_PRIVATE: `127.0.0.1:${demo.port}`,
    },
  });
  db = await server.database();
});

afterAll(async () => {
  await server.stop();
  await demo.close();
});

/** Trial user with a report whose fourth rule is locked. */
async function locked(): Promise<{ ada: Member; run: string }> {
  const ada = await newMember(server);
  return { ada, run: await storedReport(db, ada, demo.url("/barriers"), MARKS) };
}

const isOpen = async (browser: Member, run: string) => (await browser.get(`${run}/violations/rule-3`)).text.includes("mark-d");

test("a locked report shows the first three rules in full; no detail of the others leaves the server", async () => {
  const ada = await newMember(server);
  const run = await scanned(ada, { url: demo.url("/barriers") });
  const { text } = await ada.get(run);
  expect(headingOf(text), wordsOf(text)).toMatch(/^Vorschau des Berichts: /);
  expect(BARRIERS.slice(0, 3).filter(({ mark }) => !text.includes(mark))).toEqual([]);
  expect(new RegExp(`<form[^>]*action="${run}/unlock"`).test(text)).toBe(true);

  const { id: page } = await db.selectFrom("page").select("id").where("run_id", "=", idOf(run)).executeTakeFirstOrThrow();
  const details = BARRIERS.flatMap(({ ruleId }) => [`violations/${ruleId}`, `violations/${ruleId}/${page}/0`, `picture/${page}/violations/${ruleId}/0`]);
  const inside = [...PARTS, ...EXPORTS, ...details].map((part) => `${run}/${part}`);
  const secret = BARRIERS.slice(3).map(({ mark }) => mark);
  for (const address of ["/runs", run, `${run}/events`, ...inside, ...inside.map((each) => `${each}?q=mark-`), "/runs.data", ...[run, ...inside].map((each) => `${each}.data`)]) {
    const answer = await ada.get(address);
    expect([address, secret.filter((mark) => answer.text.includes(mark))]).toEqual([address, []]);
    const leadsBack = answer.location === run || answer.status === 404;
    if (inside.includes(address)) expect([address, leadsBack]).toEqual([address, true]);
  }
});

test("a trial that was canceled before its first page shows no result", async () => {
  const ada = await newMember(server);
  const run = await requestScan(ada, { url: demo.url("/silent") });
  await ada.post(`${run}/cancel`, {});
  expect(wordsOf((await ada.get(run)).text)).not.toMatch(/Sieht (von unserer Seite )?gut aus|keinen Verstoß gefunden/);
});

test("the form says what is missing if trials are used up, for a whole website, or if a plan is full", async () => {
  const ada = await newMember(server);
  const refused = async (fields: Record<string, string> = {}) => {
    const { status, text } = await ada.post("/runs/new", { url: demo.url("/clean"), scope: "page", level: "AA", ...fields });
    expect(status).toBe(422);
    return text;
  };
  const plansLink = (html: string) => new RegExp(`href="/setup\\?url=${encodeURIComponent(demo.url("/clean"))}"[^>]*>([^<]*)`).exec(html)?.[1];
  const whole = await refused({ scope: "site" });
  expect(wordsOf(whole)).toContain("Ganze Websites gehören zu einem Tarif");
  expect(plansLink(whole)).toBe("Tarife ansehen");
  for (const path of ["/clean", "/moved"]) await ada.post(`${await requestScan(ada, { url: demo.url(path) })}/cancel`, {});
  const used = await refused();
  expect(wordsOf(used)).toContain("Ihre Probeprüfungen sind aufgebraucht");
  expect(plansLink(used)).toBe("Tarife ansehen");
  expect(wordsOf((await ada.get("/runs/new")).text)).toContain("Ihre Probeprüfungen sind aufgebraucht: 2 von 2 genutzt");
  expect(wordsOf((await ada.get("/setup")).text)).toContain("Ihre Probeprüfungen sind aufgebraucht; die Ergebnisse bleiben lesbar");

  await subscribe(db, ada, { urlLimit: 1, urls: ["https://taken.example/"] });
  const full = await refused();
  expect(wordsOf(full)).toContain("Alle Websites Ihres Tarifs sind vergeben");
  expect(plansLink(full)).toBe("Tarif erweitern");
  expect(await db.selectFrom("run").select("id").where("owner", "=", ada.id).execute()).toHaveLength(2);
});

test("registering its website opens a report if a plan has room; it stays open after the end of the plan", async () => {
  const { ada, run } = await locked();
  await subscribe(db, ada);
  expect(await isOpen(ada, run)).toBe(false);
  expect((await ada.post(`${run}/unlock`, {})).location).toBe(run);
  const { text } = await ada.get(run);
  expect(wordsOf(text)).toContain("Der vollständige Bericht ist freigeschaltet.");
  expect(headingOf(text)).toMatch(/^Barrierefreiheit im Überblick: /);
  expect(await isOpen(ada, run)).toBe(true);
  expect(wordsOf((await ada.get("/profile/urls")).text)).toContain(demo.origin);

  await subscribe(db, ada, ENDED);
  expect(await isOpen(ada, run)).toBe(true);
  for (const part of ["violations", "export.json", "review"]) expect([part, (await ada.get(`${run}/${part}`)).status]).toEqual([part, 200]);
});

test("a website that the plan covers is offered for unlocking only with a result: otherwise its owner looks for a larger plan", async () => {
  const { ada, run } = await locked();
  const url = demo.url("/barriers");
  await subscribe(db, ada, { plan: "basic", urlLimit: 1, urls: [url] });
  const offer = async (query: Record<string, string>) => (await ada.get(`/setup?${new URLSearchParams({ url, ...query })}`)).text.includes("Ohne weiteren Kauf freischalten");
  expect(await Promise.all([offer({}), offer({ plan: "pro" }), offer({ check: idOf(run) })])).toEqual([false, false, true]);
});

test.each(["comes back from", "never returns from"])("a payment for its website opens a report if the browser %s the cashier", async (how) => {
  const { ada, run } = await locked();
  const wanted = await ada.post(`${run}/unlock`, {});
  expect([wanted.status, wanted.location]).toEqual([303, `/setup?url=${encodeURIComponent(demo.url("/barriers"))}&check=${run.slice("/run/".length)}`]);
  const setup = (await ada.get(wanted.location ?? "")).text;
  expect(setup.includes(`value="${demo.url("/barriers")}"`)).toBe(true);
  const [, id = ""] = /name="order" value="([^"]+)"/.exec(setup) ?? [];
  const checkout = await ada.post("/setup", { order: id, choice: "basic once", url: demo.url("/barriers") });
  const paid = await ada.post(new URL(checkout.location ?? "", server.origin).pathname, CARD);
  expect(paid.status).toBe(303);
  if (how === "comes back from") expect((await ada.open(paid.location ?? "")).status).toBe(200);
  await expect.poll(() => isOpen(ada, run), WITHIN).toBe(true);
  expect(headingOf((await ada.get(run)).text)).toMatch(/^Barrierefreiheit im Überblick: /);
});

test("stored access of a repetition can be deleted when its plan has ended, and when nothing is bought", async () => {
  const ada = await newMember(server);
  const url = demo.url("/barriers");
  await subscribe(db, ada, { urls: [url] });
  const run = await storedReport(db, ada, url);
  await ada.post(`${run}/schedule`, { every: "week", hour: "4", accessUser: "guest", accessPassword: "open sesame" });
  const stored = () => db.selectFrom("schedule").select(["id", "every", "access"]).where("owner", "=", ada.id).executeTakeFirstOrThrow();
  const { id, access } = await stored();
  expect(access).not.toBeNull();
  const paths = [`${run}/schedule`, `/websites/${encodeURIComponent(websiteId(new URL(url).origin))}`, `/runs/schedules/${id}`];
  const forget = async (path: string) => {
    const shown = (await ada.get(path)).text;
    expect([path, ...['value="forgetAccess"', 'id="plan-step"', 'id="end"'].map((part) => shown.includes(part))]).toEqual([path, true, true, true]);
    expect((await ada.post(path, { do: "forgetAccess" })).location).toBe(path);
    expect(await stored()).toEqual({ id, every: "week", access: null });
    const { text } = await ada.get(path);
    expect([text.includes("Die gespeicherten Zugangsdaten sind gelöscht."), text.includes('value="forgetAccess"')]).toEqual([true, false]);
    await db.updateTable("schedule").set({ access }).execute();
  };
  await subscribe(db, ada, { urls: [url], ...ENDED });
  for (const path of paths) await forget(path);
  await db.deleteFrom("purchase").where("user_id", "=", ada.id).execute();
  for (const path of ["/setup", "/profile/general"]) expect((await ada.get(path)).text, path).toContain('href="/runs/schedules"');
  const list = (await ada.get("/runs/schedules")).text;
  expect([list.includes(`href="/runs/schedules/${id}"`), list.includes(`href="${run}/schedule"`), list.includes("Kein Abo umfasst diese Website mehr")]).toEqual([true, false, true]);
  await forget(`/runs/schedules/${id}`);
  expect((await ada.post("/runs/schedules", { end: id })).location).toBe("/runs/schedules");
  expect((await ada.get("/runs/schedules")).text).toContain("Zurzeit wird keine Ihrer Prüfungen wiederholt.");
  expect((await ada.get("/setup")).text).not.toContain('href="/runs/schedules"');
});

test("the list of repeated scans says who can have some: subscribers, but not who has paid once", async () => {
  const [once, subscriber] = [await newMember(server), await newMember(server)];
  await createPurchases({ db }).store(once.id, { subscriptions: [], payments: [payment({ id: `pi_${once.id}` })] });
  await subscribe(db, subscriber);
  const says = async (member: Member) => {
    const { text } = await member.get("/runs/schedules");
    return [text.includes("Für eine wiederholte Prüfung braucht es ein Abo"), text.includes("richten Sie bei einem Bericht ein")];
  };
  expect([await says(once), await says(subscriber)]).toEqual([[true, false], [false, true]]);
});

test("at a level that the plan lacks, no schedule is set, and stored credentials can be deleted", async () => {
  const ada = await newMember(server);
  const url = demo.url("/barriers");
  await subscribe(db, ada, { urls: [url] });
  const run = await storedReport(db, ada, url);
  await ada.post(`${run}/schedule`, { every: "week", hour: "4", accessUser: "guest", accessPassword: "open sesame" });
  const { id, access } = await db.selectFrom("schedule").select(["id", "access"]).where("owner", "=", ada.id).executeTakeFirstOrThrow();
  const path = `/runs/schedules/${id}`;
  const stored = () => db.selectFrom("schedule").select(["every", "access", "paused"]).where("id", "=", id).executeTakeFirst();
  await db.updateTable("schedule").set({ level: "AAA", paused: "level" }).where("id", "=", id).execute();
  const refused = await ada.post(path, { every: "week", hour: "4" });
  expect([refused.status, refused.text.includes('href="#plan-step">Ihr Abo enthält diese Stufe der WCAG nicht.')]).toEqual([422, true]);
  expect(await stored()).toEqual({ every: "week", access, paused: "level" });

  const page = (await ada.get(path)).text;
  expect([page.includes('name="every"'), page.includes(`href="/setup?${new URLSearchParams({ url })}"`), page.includes(`href="/runs/new?url=${encodeURIComponent(url)}"`)]).toEqual([false, true, true]);
  // The plan includes the level of the report's scan, so its form works, too.
  const report = (await ada.get(`${run}/schedule`)).text;
  expect([report.includes('name="every"'), ...[page, report].map((text) => text.includes('value="forgetAccess"'))]).toEqual([true, true, true]);
  for (const sent of [new URLSearchParams({ do: "forgetAccess" }), new URLSearchParams({ every: "month", hour: "5", forgetAccess: "yes" })]) {
    await db.updateTable("schedule").set({ access }).where("id", "=", id).execute();
    expect([(await ada.post(path, sent)).location, await stored()]).toEqual([path, { every: "week", access: null, paused: "level" }]);
  }
});

test("a full plan for another website does not bring its level to the schedule of this one", async () => {
  const ada = await newMember(server);
  const url = demo.url("/barriers");
  const plans = [subscription({ id: `sub_a_${ada.id}`, plan: "basic", urls: [url] }), subscription({ id: `sub_b_${ada.id}`, plan: "enterprise", urlLimit: 1, urls: ["https://other.example/"] })];
  await createPurchases({ db }).store(ada.id, { subscriptions: plans, payments: [] });
  const run = await storedReport(db, ada, url);
  await db.updateTable("run").set({ standard_level: "AAA" }).where("id", "=", idOf(run)).execute();
  const refused = await ada.post(`${run}/schedule`, { every: "week", hour: "4" });
  expect([refused.status, refused.text.includes("Ihr Abo enthält diese Stufe der WCAG nicht.")]).toEqual([422, true]);
  expect(await db.selectFrom("schedule").select("id").where("owner", "=", ada.id).execute()).toEqual([]);
});
