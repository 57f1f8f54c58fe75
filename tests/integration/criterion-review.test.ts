import { afterAll, beforeAll, expect, test } from "vitest";
import { createShares } from "~/reports/share/share.server";
import type { Run } from "~/runs/run";
import { newMember, sendSignedOut, visitorOf, type Member } from "../support/accounts";
import { finishedRun } from "../support/finished-runs";
import { checkedPage, element, finding } from "../support/page-results";
import { startServer, type TestServer } from "../support/server";

const AAA = { version: "2.2", level: "AAA" } as const;

let server: TestServer;
let ada: Member;
let eve: Member;
let first: Run;
let second: Run;
let basic: Run;

beforeAll(async () => {
  server = await startServer({ browser: false, env: { BILLING: "off" } });
  [ada, eve] = await Promise.all([newMember(server), newMember(server)]);
  const db = await server.database();
  const violations = [finding("image-alt", { impact: "serious", elementCount: 1, tags: ["wcag2a", "wcag111"], elements: [element()] })];
  const found = [checkedPage({ findings: { violations, incomplete: [], passes: [], inapplicable: [] } })];
  const at = Date.now() - 60_000;
  first = await finishedRun(db, found, { owner: ada.id, standard: AAA, at });
  second = await finishedRun(db, found, { owner: ada.id, standard: AAA, at: Date.now() + 60_000 });
  basic = await finishedRun(db, found, { owner: ada.id, url: "https://other.example/", at });
});

afterAll(() => server.stop());

const listOf = ({ id }: Run) => `/run/${id}/review/criteria`;

test("a person can assess every criterion of level AAA, one part of the list after the other", async () => {
  const asked: string[] = [];
  for (const part of [1, 2, 3, 4, 5]) {
    const { status, text } = await ada.get(`${listOf(first)}?part=${part}`);
    expect(status).toBe(200);
    asked.push(...[...text.matchAll(/name="criterion" value="([\d.]+)"/g)].map(([, number = ""]) => number));
  }
  expect([asked.length, new Set(asked).size]).toEqual([86, 86]);
  expect((await ada.get(listOf(basic))).text).toContain("0 von 55 Kriterien");
  expect((await ada.get(`/run/${first.id}/review`)).text).toContain(`href="${listOf(first)}"`);
});

test("a verdict typed before the session ended is still there after a new sign-in", async () => {
  const page = await sendSignedOut(ada, `${listOf(first)}?part=2&criterion=2.1.1`, { criterion: "2.1.1", verdict: "not_fulfilled", note: "Das <b>Menü</b>" });
  expect([page.url.pathname, page.words.includes("Sie waren zwischendurch abgemeldet")]).toEqual([listOf(first), true]);
  expect(page.text).toContain("Das &lt;b&gt;Menü&lt;/b&gt;</textarea>");
});

test("a verdict typed before the session ended is still there if its part of the list is not", async () => {
  const page = await sendSignedOut(ada, `${listOf(first)}?state=open&part=9`, { criterion: "2.1.1", verdict: "not_fulfilled", note: "Das <b>Menü</b>" });
  expect([page.url.search, page.words.includes("Sie waren zwischendurch abgemeldet")]).toEqual(["?state=open&part=5", true]);
  expect(page.text).toContain("Das &lt;b&gt;Menü&lt;/b&gt;</textarea>");
});

test("a verdict without what it needs is refused, with the typed text", async () => {
  const list = `${listOf(first)}?criterion=2.1.1`;
  expect((await ada.get(`${listOf(first)}?part=2`)).text).toContain(`action="${listOf(first)}?part=2&amp;criterion=2.1.1"`);
  const refused = await ada.post(list, { criterion: "2.1.1", verdict: "not_fulfilled", note: " " });
  expect(refused.status).toBe(422);
  expect(refused.text).toContain('href="#criterion-2-1-1-note"');
  expect(refused.text).toMatch(/<input[^>]*value="not_fulfilled"[^>]*checked=""|checked=""[^>]*value="not_fulfilled"/);

  const undecided = await ada.post(list, { criterion: "2.1.1", note: "Das <b>Menü</b>" });
  expect(undecided.status).toBe(422);
  expect(undecided.text).toContain('href="#criterion-2-1-1-verdict"');
  expect(undecided.text).toContain("Das &lt;b&gt;Menü&lt;/b&gt;</textarea>");
  // Of a level that was not part of this scan.
  expect((await ada.post(listOf(basic), { criterion: "1.4.6", verdict: "fulfilled" })).status).toBe(422);
});

test("a verdict is shown with its person, in the next scan of the site, in table and exports, and can be taken back", async () => {
  const kept = await ada.post(listOf(first), { criterion: "2.1.1", verdict: "not_fulfilled", note: "Das <b>Menü</b>" });
  expect([kept.status, kept.location]).toEqual([303, `${listOf(first)}#criterion-2-1-1`]);
  await ada.post(`${listOf(first)}?state=open&part=2`, { criterion: "1.1.1", verdict: "fulfilled" });

  const answered = (await ada.get(`${listOf(second)}?state=answered`)).text;
  expect(answered.match(/name="criterion"/g)).toHaveLength(2);
  for (const said of ["2 von 86 Kriterien", "Das &lt;b&gt;Menü&lt;/b&gt;", "Dieses Urteil ist älter als diese Prüfung.", "Die automatische Prüfung hat hier einen Verstoß gefunden."]) expect(answered).toContain(said);
  expect((await ada.get(`${listOf(first)}?state=answered`)).text).not.toContain("Dieses Urteil ist älter");

  // Meanwhile in another list, a refused one is shown in its place.
  const refused = (await ada.post(`${listOf(second)}?state=answered&criterion=1.4.5`, { criterion: "1.4.5", verdict: "not_fulfilled", note: " " })).text;
  expect([...refused.matchAll(/name="criterion" value="([^"]+)"/g)].map(([, number]) => number)).toEqual(["1.1.1", "1.4.5", "2.1.1"]);

  const table = (await ada.get(`/run/${second.id}/criteria`)).text;
  expect(table).toContain("2 von 86 Kriterien");
  expect(table.match(/data-label="Von Hand"/g)).toHaveLength(86);
  expect(table).toContain("nicht erfüllt");
  expect((await ada.get(`/run/${basic.id}/criteria`)).text).not.toContain('data-label="Von Hand"');
  const token = await createShares({ db: await server.database() }).create(ada.id, second.id, 7);
  const shared = (await visitorOf(server).get(`/shared/${token}/criteria`)).text;
  expect(shared).toContain("nicht erfüllt");
  expect(shared).not.toContain("Menü&lt;");

  const { assessments } = JSON.parse((await ada.get(`/run/${second.id}/export.json`)).text) as { assessments: { criterion: string; verdict: string }[] };
  expect(assessments.map(({ criterion, verdict }) => [criterion, verdict])).toEqual([["1.1.1", "fulfilled"], ["2.1.1", "not_fulfilled"]]);
  expect((await ada.get(`/run/${second.id}/export.earl.json`)).text).toContain('"identifier":"2.1.1"');
  expect((await ada.get("/account/export")).text).toContain("not_fulfilled");

  expect((await ada.post(listOf(second), { criterion: "2.1.1", verdict: "open", note: "" })).status).toBe(303);
  await ada.post(listOf(second), { criterion: "1.1.1", verdict: "open", note: "" });
  expect((await ada.get(listOf(first))).text).toContain("0 von 86 Kriterien");
});

test("nobody else can read or change verdicts", async () => {
  expect((await eve.get(listOf(first))).status).toBe(404);
  expect((await eve.post(listOf(first), { criterion: "2.1.1", verdict: "fulfilled" })).status).toBe(404);
  expect((await ada.get(listOf(first))).text).toContain("0 von 86 Kriterien");
});
