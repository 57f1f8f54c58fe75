import type { Db } from "db/schema";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BARRIERS, openDemoSite } from "../../support/scan/demo-site";
import { newMember, type Member } from "../../support/accounts/accounts";
import { subscribe } from "../../support/billing/bought";
import { storedReport } from "../../support/database/finished-runs";
import { headingOf, idOf, requestScan, rowsIn, rulesIn, scanned, statusOf, WITHIN, wordsOf } from "../../support/browser/run-pages";
import { startServer, type TestServer } from "../../support/servers/server";
import { openSite, pageWith, type Site } from "../../support/scan/site";

const PARTS = ["violations", "violations/image-alt", "incomplete", "passes", "inapplicable", "criteria", "pages", "changes", "history", "review", "share", "schedule"];

/** Texts of success, allowed only for a checked page. */
const CLAIMS = /Sieht (von unserer Seite )?gut aus|keinen Verstoß gefunden/;

let demo: Site;
/** Site with a page that never answers. */
let stubborn: Site;
let server: TestServer;
let db: Db;
/** User with a plan and a scan of `/barriers`. */
let ada: Member;
let barriers: string;

beforeAll(async () => {
  demo = await openDemoSite();
  stubborn = await openSite({ "/": pageWith('<a href="/fine">1</a><a href="/silent">2</a>'), "/fine": pageWith(""), "/silent": () => {} });
  server = await startServer({ env: { TRUST_PROXY: "1", SCAN_ALLOW_PRIVATE: `127.0.0.1:${demo.port},127.0.0.1:${stubborn.port}` } });
  db = await server.database();
  ada = await subscriber();
  barriers = await scanned(ada, { url: demo.url("/barriers") });
});

afterAll(async () => {
  await server.stop();
  await Promise.all([demo.close(), stubborn.close()]);
});

async function subscriber(): Promise<Member> {
  const member = await newMember(server);
  await subscribe(db, member);
  return member;
}

const read = async (browser: Member, path: string) => wordsOf((await browser.get(path)).text);

test("the first scan of a page can be started, waited for, and found in the list", async () => {
  const grace = await subscriber();
  expect(await read(grace, "/runs")).toContain("Starten Sie Ihre erste Prüfung");
  const run = await requestScan(grace, { url: demo.url("/slow?seconds=1") });
  const waiting = (await grace.get(run)).text;
  expect(headingOf(waiting)).toBe(`Wir prüfen 127.0.0.1:${demo.port}/slow`);
  expect(new RegExp(`<a[^>]*href="${run}"[^>]*>Stand neu laden`).test(waiting)).toBe(true);
  expect(await read(grace, "/runs")).toMatch(/wartet|läuft/);
  await expect.poll(async () => headingOf((await grace.get(run)).text), WITHIN).toMatch(/^Barrierefreiheit im Überblick: /);
  expect(rowsIn((await grace.get("/runs")).text)).toEqual([run]);
  const moved = await grace.get(`/runs/${idOf(run)}`);
  expect([moved.status, moved.location]).toEqual([301, run]);
});

test("a report explains what to fix, from the overview down to the element", async () => {
  expect(rulesIn((await ada.get(barriers)).text)).toEqual(BARRIERS.slice(0, 5).map(({ ruleId }) => ruleId));
  expect(rulesIn((await ada.get(`${barriers}/violations`)).text)).toEqual(BARRIERS.map(({ ruleId }) => ruleId));
  for (const { ruleId, mark } of BARRIERS) {
    const rule = (await ada.get(`${barriers}/violations/${ruleId}`)).text;
    const [element = ""] = new RegExp(`${barriers}/violations/${ruleId}/\\d+/\\d+`).exec(rule) ?? [];
    const { status, text } = await ada.get(element);
    expect([ruleId, rule.includes(mark), status, text.includes(mark)]).toEqual([ruleId, true, 200, true]);
  }
  for (const part of PARTS) expect([part, (await ada.get(`${barriers}/${part}`)).status]).toEqual([part, 200]);
});

test("a scan of a website respects excluded paths and the page limit", async () => {
  const run = await scanned(ada, { url: stubborn.origin, scope: "site", maxPages: "2", leftOut: "/silent" });
  const pages = await read(ada, `${run}/pages`);
  expect(pages).toContain(stubborn.url("/fine"));
  expect(pages).not.toContain("/silent");
  expect(stubborn.requests).not.toContain("/silent");
  const overview = await read(ada, run);
  expect(overview).toContain("Bericht über die Website");
  expect(overview).toContain("/silent");
});

test("a scan can be repeated with its settings, but not another user's", async () => {
  const run = await scanned(ada, { url: stubborn.url("/fine"), scope: "site", level: "A", maxPages: "2", leftOut: "/silent\n/gone" });
  const [, again = ""] = /href="(\/runs\/new\?again=[^"]+)"/.exec((await ada.get(run)).text) ?? [];
  const form = (await ada.get(again)).text;
  const field = (name: string) => new RegExp(`<(?:input|textarea)[^>]*id="${name}"[^>]*>[^<]*`).exec(form)?.[0];
  expect(field("url")).toContain(`value="${stubborn.url("/fine")}"`);
  expect(field("maxPages")).toContain('value="2"');
  expect(field("leftOut")).toMatch(/\/silent\s+\/gone$/);
  for (const value of ["site", "A"]) expect(new RegExp(`<input[^>]*value="${value}"[^>]*>`).exec(form)?.[0]).toContain('checked=""');
  expect((await (await subscriber()).get(again)).text).not.toContain(stubborn.origin);
});

test("lists are filtered and sorted by the query", async () => {
  const rules = async (query: string) => rulesIn((await ada.get(`${barriers}/violations?${query}`)).text);
  expect(await rules("impact=serious")).toEqual(BARRIERS.slice(4).map(({ ruleId }) => ruleId));
  expect(await rules("criterion=1.1.1")).toEqual(["image-alt"]);
  expect(await rules("q=MARK-FIELD")).toEqual(["label"]);
  expect(await rules("impact=serious&q=mark-link")).toEqual(["link-name"]);
  expect((await rules("sort=elements")).slice(0, 2)).toEqual(["image-alt", "button-name"]);
  const { text } = await ada.get(`${barriers}/violations?impact=serious&criterion=1.4.3&q=x&sort=name`);
  for (const value of ["serious", "1.4.3", "name"]) expect(new RegExp(`<option[^>]*value="${value}"[^>]*selected=""`).test(text), value).toBe(true);
  expect(/<input[^>]*id="q"[^>]*>/.exec(text)?.[0]).toContain('value="x"');

  expect(rowsIn((await ada.get("/runs?q=BARRIERS&status=succeeded")).text)).toEqual([barriers]);
  expect(await read(ada, "/runs?q=nirgends")).toContain("Keine Prüfung passt");
});

test("GET requests change nothing", async () => {
  const everything = () => db.selectFrom("run").selectAll().where("owner", "=", ada.id).orderBy("id").execute();
  const before = await everything();
  for (const page of ["/runs/restore", `${barriers}/cancel`, `${barriers}/unlock`]) expect([page, (await ada.get(page)).status]).toEqual([page, 303]);
  for (const page of ["/runs", "/runs/new", `/runs/delete?run=${idOf(barriers)}`]) expect([page, (await ada.get(page)).status]).toEqual([page, 200]);
  expect(await everything()).toEqual(before);
});

test("the results of a canceled scan stay", async () => {
  const run = await requestScan(ada, { url: stubborn.origin, scope: "site" });
  const found = async () => (await db.selectFrom("run").select("pages").where("id", "=", idOf(run)).executeTakeFirstOrThrow()).pages;
  await expect.poll(found, WITHIN).toBeGreaterThanOrEqual(1);
  expect((await ada.post(`${run}/cancel`, {})).location).toBe(run);
  expect(await statusOf(db, run)).toBe("canceled");
  const { text } = await ada.get(run);
  expect(wordsOf(text)).toContain("Die Prüfung ist abgebrochen.");
  expect(wordsOf(text)).toContain("Der Bericht zeigt nur, was bis dahin gefunden wurde.");
  expect(rulesIn(text)).toContain("image-alt");
  expect(rowsIn((await ada.get("/runs?status=canceled")).text)).toEqual([run]);
  // Click on an old page.
  expect((await ada.post(`${run}/cancel`, {})).status).toBe(303);
  expect(await statusOf(db, run)).toBe("canceled");
});

test("no page reports success where nothing was checked", async () => {
  const canceled = await requestScan(ada, { url: demo.url("/silent") });
  await ada.post(`${canceled}/cancel`, {});
  const failed = await scanned(ada, { url: demo.url("/gone") });
  expect([await statusOf(db, canceled), await statusOf(db, failed)]).toEqual(["canceled", "failed"]);
  expect(await read(ada, failed)).toContain("404");
  const claims = await Promise.all(
    [canceled, failed].flatMap((run) =>
      ["", "/violations", "/incomplete", "/criteria", "/pages"].map(async (part) => {
        const { url, text } = await ada.open(`${run}${part}`);
        return CLAIMS.test(wordsOf(text)) ? [`${url.pathname} of the scan that is ${await statusOf(db, run)}`] : [];
      }),
    ),
  );
  expect(claims.flat()).toEqual([]);
});

describe("deleting", () => {
  test("leads back to the list with its filter, and to no other page", async () => {
    const grace = await subscriber();
    const [one, two] = [await storedReport(db, grace, demo.url("/1")), await storedReport(db, grace, demo.url("/2"))];
    const list = "/runs?status=succeeded";
    const shown = (await grace.get(list)).text;
    expect(shown).toContain(`<input type="hidden" name="returnTo" value="${list}"/>`);
    const address = `/runs/delete?run=${idOf(one)}&returnTo=${encodeURIComponent(list)}`;
    expect(shown).toContain(`href="${address.replaceAll("&", "&amp;")}"`);
    const confirm = (await grace.get(address)).text;
    expect(confirm).toContain(`<a data-discover="true" href="${list}">`);
    expect(confirm).toContain(`action="${address.replaceAll("&", "&amp;")}"`);
    expect(await grace.post(address, { run: idOf(one) })).toMatchObject({ status: 303, location: list });
    for (const elsewhere of ["//evil.example", "/profile/general", "/runs-elsewhere"]) {
      expect(await grace.post(`/runs/delete?returnTo=${encodeURIComponent(elsewhere)}`, { run: idOf(two) }), elsewhere).toMatchObject({ status: 303, location: "/runs" });
    }
  });

  test("asks for a confirmation, and can be undone", async () => {
    const grace = await subscriber();
    const [one, two, three] = [await storedReport(db, grace, demo.url("/1")), await storedReport(db, grace, demo.url("/2")), await storedReport(db, grace, demo.url("/3"))];
    expect(await read(grace, "/runs/delete")).toContain("Sie haben nichts ausgewählt");
    const confirm = (await grace.get(`/runs/delete?run=${idOf(one)}&run=${idOf(two)}`)).text;
    expect([...confirm.matchAll(/name="run" value="([^"]+)"/g)].map(([, id]) => `/run/${id}`).sort()).toEqual([one, two].sort());
    const before = (await grace.get("/runs")).text;
    expect(rowsIn(before)).toHaveLength(3);
    // Must exist before the message; otherwise, it is not announced.
    expect(before).toContain('</header><div role="status"></div>');

    const body = new URLSearchParams([one, two].map((run) => ["run", idOf(run)]));
    const answer = await fetch(`${server.origin}/runs/delete`, { method: "POST", body, redirect: "manual", headers: { Cookie: grace.cookie } });
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/runs"]);
    expect(await grace.post("/runs/delete", { run: idOf(one) }), "a second click").toMatchObject({ status: 303, location: "/runs" });
    expect((await grace.post("/runs/delete", { run: idOf(barriers) })).status).toBe(404);
    const list = (await grace.get("/runs")).text;
    expect(rowsIn(list)).toEqual([three]);
    expect(wordsOf(list)).toContain("2 Prüfungen gelöscht");
    // Focus is on the heading; the notice of the deletion follows.
    expect(list.indexOf('name="at"')).toBeGreaterThan(list.indexOf("</h1>"));
    expect((await grace.get(one)).status).toBe(404);

    const [, at = ""] = /name="at" value="(\d+)"/.exec(list) ?? [];
    expect((await grace.post("/runs/restore", { at })).location).toBe("/runs");
    const back = (await grace.get("/runs")).text;
    expect(wordsOf(back)).toContain("Die gelöschten Prüfungen sind wieder da.");
    expect(rowsIn(back).sort()).toEqual([one, two, three].sort());
    expect((await grace.get(one)).status).toBe(200);
    // Double click.
    await grace.post("/runs/restore", { at });
    expect(wordsOf((await grace.get("/runs")).text)).toContain("Die gelöschten Prüfungen sind wieder da.");
  });

  test("is final after ten minutes", async () => {
    const grace = await subscriber();
    const run = await storedReport(db, grace, demo.url("/1"));
    await grace.post("/runs/delete", { run: idOf(run) });
    const [, at = ""] = /name="at" value="(\d+)"/.exec((await grace.get("/runs")).text) ?? [];
    const earlier = Number(at) - 10 * 60_000;
    await db.updateTable("run").set({ deleted_at: earlier }).where("owner", "=", grace.id).execute();
    expect((await grace.get("/runs")).text.includes('name="at"')).toBe(false);
    await grace.post("/runs/restore", { at: String(earlier) });
    const list = (await grace.get("/runs")).text;
    expect(wordsOf(list)).toContain("Diese Prüfungen lassen sich nicht mehr zurückholen.");
    expect(rowsIn(list)).toEqual([]);
  });
});

describe("a refused scan request", () => {
  const LEFT_OUT = Array.from({ length: 40 }, (_, index) => `/archiv/jahrgang-${index}/`).join("\n");
  const SECRETS = { accessPassword: "streng-geheim", accessCookie: "sitzung=streng-geheim" };

  const refusal = async (fields: Record<string, string>) => {
    const { status, text } = await ada.post("/runs/new", { url: demo.origin, scope: "page", level: "AA", ...fields });
    expect(status).toBe(422);
    return { text, field: (id: string) => new RegExp(`<input[^>]*id="${id}"[^>]*>`).exec(text)?.[0] ?? "" };
  };

  test("has a message at each field and the typed values, without password and cookie", async () => {
    const { text, field } = await refusal({ url: "kein Ort", scope: "site", level: "A", maxPages: "viele", accessUser: "vorschau", ...SECRETS });
    for (const id of ["url", "maxPages"]) {
      expect([id, text.includes(`href="#${id}"`)]).toEqual([id, true]);
      expect(field(id)).toContain('aria-invalid="true"');
    }
    const valueOf = (id: string) => /value="([^"]*)"/.exec(field(id))?.[1];
    expect(["url", "maxPages", "accessUser"].map(valueOf)).toEqual(["kein Ort", "viele", "vorschau"]);
    for (const value of ["site", "A"]) expect(new RegExp(`<input[^>]*value="${value}"[^>]*>`).exec(text)?.[0]).toContain('checked=""');
    // A field with an error must not be inside a closed disclosure.
    expect(/<details class="more"[^>]* open/.test(text)).toBe(true);
    expect(text.includes("streng-geheim")).toBe(false);
  });

  test("keeps long values completely", async () => {
    const { text } = await refusal({ leftOut: `${LEFT_OUT}\nohne-schrägstrich` });
    expect(/<textarea[^>]*id="leftOut"[^>]*>([^<]*)</.exec(text)?.[1]?.trim().replaceAll("\r", "")).toBe(`${LEFT_OUT}\nohne-schrägstrich`);
    const long = `kein Ort ${"x".repeat(1_500)}`;
    expect((await refusal({ url: long })).field("url")).toContain(`value="${long}"`);
  });

  test("starts no scan", async () => {
    const count = async () => (await db.selectFrom("run").select("id").where("owner", "=", ada.id).execute()).length;
    const before = await count();
    expect(wordsOf((await refusal({ level: "AAA" })).text)).toContain("Diese Stufe gehört nicht zu Ihrem Tarif");
    await refusal({ url: "http://192.168.0.1/" });
    expect(await count()).toBe(before);
    // The form does not offer it either.
    expect((await ada.get("/runs/new")).text.includes('value="AAA"')).toBe(false);
  });

  test("is kept during a sign-in, without password and cookie", async () => {
    const grace = await subscriber();
    const session = grace.cookies.get("session") ?? "";
    grace.cookies.clear();
    const answer = await grace.post("/runs/new", { url: "shop.example", leftOut: "/alt", ...SECRETS });
    expect([answer.status, answer.location]).toEqual([303, "/login?returnTo=%2Fruns%2Fnew"]);
    expect(session).not.toBe("");
    const kept = await db.selectFrom("session").select("kept").where("kept", "is not", null).execute();
    expect(kept.length).toBeGreaterThan(0);
    expect(JSON.stringify(kept)).not.toContain("streng-geheim");
  });
});
