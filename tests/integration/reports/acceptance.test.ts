import { afterAll, beforeAll, expect, test } from "vitest";
import type { Db } from "db/schema";
import { calendarDay } from "~/platform/i18n/calendar-date";
import { createAcceptances } from "~/findings/acceptance/acceptances.server";
import { createShares } from "~/reports/share/share.server";
import type { Run } from "~/runs/run";
import { newMember, sendSignedOut, visitorOf, type Member } from "../../support/accounts/accounts";
import { finishedRun } from "../../support/database/finished-runs";
import { checkedPage, element, finding } from "../../support/database/page-results";
import { startServer, type TestServer } from "../../support/servers/server";

const LATER = `${new Date().getFullYear() + 1}-01-31`;

let server: TestServer;
let db: Db;
let ada: Member;
let eve: Member;
let run: Run;
let pageId: number;

const image = (name: string) => element({ target: [`#${name}`], html: `<img id="${name}" src="/p/${name}.png">`, impact: "serious" });
const card = (number: number) => element({ target: [`.card${number}`], html: `<a class="card" href="/p/${number}"></a>`, impact: "critical" });
const results = () => [
  checkedPage({
    findings: {
      violations: [
        finding("image-alt", { impact: "serious", elementCount: 2, elements: [image("logo"), image("team")] }),
        finding("link-name", { impact: "critical", elementCount: 2, elements: [card(1), card(2)], tags: ["wcag2a", "wcag244"] }),
      ],
      incomplete: [],
      passes: [],
      inapplicable: [],
    },
  }),
];
const scan = () => finishedRun(db, results(), { owner: ada.id, at: Date.now() });
const pageOf = async ({ id }: Run) => (await db.selectFrom("page").select("id").where("run_id", "=", id).executeTakeFirstOrThrow()).id;

beforeAll(async () => {
  server = await startServer({ browser: false, env: { BILLING: "off" } });
  [ada, eve] = await Promise.all([newMember(server), newMember(server)]);
  db = await server.database();
  run = await scan();
  pageId = await pageOf(run);
});

afterAll(() => server.stop());

const formOf = (ruleId = "image-alt", position = 0) => `/run/${run.id}/accept/${ruleId}/${pageId}/${position}`;
const GIVEN = { what: "element", kind: "will_be_fixed", last_day: LATER, reason: "Das neue <b>Logo</b> kommt" };
const idOf = (location: string | null) => /#a-([\w-]+)$/.exec(location ?? "")?.[1] ?? "";

test("a form without what it needs is refused, with what was typed", async () => {
  const page = (await ada.get(`/run/${run.id}/violations/image-alt/${pageId}/0`)).text;
  expect(page).toContain(`href="${formOf()}"`);
  expect((await ada.get(formOf())).text).toContain("&lt;img id=&quot;logo&quot;");
  const refusals: [Record<string, string>, field: string][] = [
    [{ ...GIVEN, what: "" }, "what"],
    // Images with different markup: there is no component to accept.
    [{ ...GIVEN, what: "component" }, "what"],
    [{ ...GIVEN, kind: "" }, "kind"],
    [{ ...GIVEN, last_day: "" }, "last_day"],
    [{ ...GIVEN, last_day: "morgen" }, "last_day"],
    [{ ...GIVEN, last_day: "2020-01-31" }, "last_day"],
    [{ ...GIVEN, last_day: "2099-01-31" }, "last_day"],
    [{ ...GIVEN, reason: " " }, "reason"],
    [{ ...GIVEN, reason: "x".repeat(1_001) }, "reason"],
  ];
  for (const [fields, field] of refusals) {
    const { status, text } = await ada.post(formOf(), fields);
    expect([fields, status, text.includes(`href="#${field}"`)]).toEqual([fields, 422, true]);
    if (field === "last_day" && fields.last_day) expect(text).toContain(`value="${fields.last_day}"`);
    if (field !== "reason") expect(text).toContain("Das neue &lt;b&gt;Logo&lt;/b&gt; kommt</textarea>");
  }
  expect(await db.selectFrom("acceptance").selectAll().execute()).toEqual([]);
});

test("where elements are not stored, pages say that accepted ones count as open", async () => {
  const many = [checkedPage({ url: "https://many.example/", findings: { ...results()[0]!.findings, violations: [finding("link-name", { elementCount: 1_200, elements: [card(1)] })] } })];
  const { id, url } = await finishedRun(db, many, { owner: ada.id, at: Date.now(), url: "https://many.example/" });
  const ofRule = `/run/${id}/violations/link-name`;
  const says = async (path: string, words: string) => (await ada.get(path)).text.includes(words);
  const unknown = "Ob auch davon welche akzeptiert sind, ist nicht bekannt";
  expect(await says(ofRule, unknown)).toBe(false);
  const element = { ...card(1), pageUrl: url };
  await createAcceptances({ db }).accept(ada.id, { url }, { scope: "component", rule: { source: "axe", ruleId: "link-name" }, element }, { kind: "third_party", lastDay: LATER, reason: "Soon" });
  expect(await says(ofRule, unknown)).toBe(true);
  await db.deleteFrom("stored_element").where("page_id", "in", db.selectFrom("page").select("id").where("run_id", "=", id)).execute();
  await db.updateTable("run").set({ evidence: "gone" }).where("id", "=", id).execute();
  expect(await says(`/run/${id}/accepted`, "Für diese Prüfung nicht mehr bekannt")).toBe(true);
  const shared = `/shared/${await createShares({ db }).create(ada.id, id, 7)}`;
  const sayOpen = () => Promise.all([ada.get(`/run/${id}`), visitorOf(server).get(shared)]).then((pages) => pages.map(({ text }) => text.includes("Akzeptierte Stellen zählen dabei als offen")));
  expect(await sayOpen()).toEqual([true, true]);
  const answers = { service: "Teekiste", operator: "Teekiste GmbH", contact: "hilfe@teekiste.example", description: "Tee", date: calendarDay(Date.now()), language: "de" };
  const draft = `/run/${id}/statement.txt?${new URLSearchParams(answers)}`;
  const exception = /- Inhalt von Dritten, bis zum .*, Zahl der Stellen nicht mehr bekannt\. Soon/;
  expect((await ada.get(draft)).text).toMatch(exception);
  await db.updateTable("acceptance").set({ ended_at: Date.now(), ended_by: ada.id }).execute();
  expect((await ada.get(draft)).text).not.toMatch(exception);
  expect(await sayOpen()).toEqual([false, false]);
  expect(await says(`/run/${id}`, "sind nicht mehr gespeichert")).toBe(true);
  await db.deleteFrom("acceptance").execute();
});

test("an accepted element leaves the counts, is listed with reason, person and date, survives a scan, and can be undone", async () => {
  const kept = await ada.post(formOf(), GIVEN);
  expect(kept.status).toBe(303);
  const list = `/run/${run.id}/accepted`;
  expect(kept.location).toMatch(new RegExp(`^${list}#a-`));
  const listed = (await ada.get(list)).text;
  for (const said of ["1 Stelle dieser Prüfung ist akzeptiert", "Wird noch behoben", "Das neue &lt;b&gt;Logo&lt;/b&gt; kommt", `31. Januar ${LATER.slice(0, 4)}`, `id="a-${idOf(kept.location)}"`]) expect(listed).toContain(said);

  const next = await scan();
  for (const { id } of [run, next]) {
    const overview = (await ada.get(`/run/${id}`)).text;
    expect(overview).toContain("2 verletzte Regeln mit 3 betroffenen Stellen");
    expect(overview).toContain("1 akzeptierte Stelle ist hier nicht mitgezählt.");
    const rule = (await ada.get(`/run/${id}/violations/image-alt`)).text;
    expect([rule.includes("#team"), rule.includes("#logo")]).toEqual([true, false]);
  }
  const element = (await ada.get(`/run/${next.id}/violations/image-alt/${await pageOf(next)}/0`)).text;
  for (const said of ["Wird noch behoben", "Das neue &lt;b&gt;Logo", "dieses Element auf dieser Seite"]) expect(element).toContain(said);

  const undone = await ada.post(`/run/${next.id}/accepted`, { end: idOf(kept.location) });
  expect([undone.status, undone.location]).toEqual([303, `/run/${next.id}/accepted`]);
  expect((await ada.get(`/run/${run.id}`)).text).toContain("2 verletzte Regeln mit 4 betroffenen Stellen");
  expect((await ada.get(list)).text).toMatch(/Beendet[^]*Das neue &lt;b&gt;Logo/);
  expect(await db.selectFrom("acceptance").select(["ended_by", "accepted_by"]).execute()).toEqual([{ ended_by: ada.id, accepted_by: ada.id }]);
});

test("what was typed is still there after a new sign-in", async () => {
  const page = await sendSignedOut(ada, formOf(), { ...GIVEN, kind: "third_party" });
  expect([page.url.pathname, page.words.includes("Sie waren zwischendurch abgemeldet")]).toEqual([formOf(), true]);
  expect(page.text).toContain("Das neue &lt;b&gt;Logo&lt;/b&gt; kommt</textarea>");
  expect(page.text).toMatch(/<input[^>]*value="third_party"[^>]*checked=""|checked=""[^>]*value="third_party"/);
  expect(await db.selectFrom("acceptance").select("id").where("kind", "=", "third_party").where("ended_at", "is", null).execute()).toEqual([]);
});

test("a day may be typed as people write it where the browser has no field for dates", async () => {
  const year = LATER.slice(0, 4);
  const wrong = await ada.post(formOf(), { ...GIVEN, last_day: `31.1.${year}`, reason: "" });
  expect(wrong.status).toBe(422);
  // A date field would lose the typed text.
  expect(wrong.text).toMatch(new RegExp(`<input id="last_day"[^>]*type="text"[^>]*value="31.1.${year}"`));
  expect((await ada.post(formOf(), { ...GIVEN, last_day: `31.2.${year}` })).status).toBe(422);
  const kept = await ada.post(formOf(), { ...GIVEN, last_day: `31.1.${year}`, reason: "Zierde" });
  expect(await db.selectFrom("acceptance").select("last_day").where("id", "=", idOf(kept.location)).executeTakeFirst()).toEqual({ last_day: LATER });
  await ada.post(`/run/${run.id}/accepted`, { end: idOf(kept.location) });
});

test("who accepts an element of an accepted rule is told that both hold; no end does not depend on a change", async () => {
  const rule = idOf((await ada.post(`/run/${run.id}/accept/image-alt`, { what: "rule", kind: "not_a_barrier", reason: "Zierde" })).location);
  expect((await ada.get(formOf())).text).toContain("Das ist schon akzeptiert: die ganze Regel auf dieser Website. Wählen Sie noch einmal dasselbe");
  expect((await ada.get(`/run/${run.id}/accept/image-alt`)).text).toContain("löst das Bisherige ab");
  const shown = (await ada.get(`/run/${run.id}/violations/image-alt/${pageId}/0`)).text;
  expect([shown.includes("Ohne Enddatum."), shown.includes("bis sich die Stelle ändert")]).toEqual([true, false]);
  const one = idOf((await ada.post(formOf(), GIVEN)).location);
  expect(await db.selectFrom("acceptance").select("id").where("ended_at", "is", null).orderBy("id").execute()).toEqual([rule, one].sort().map((id) => ({ id })));
  for (const end of [rule, one]) await ada.post(`/run/${run.id}/accepted`, { end });
});

test("a long list stays where it is when one is ended; markup that is kept in part says so", async () => {
  const html = `<img alt="" src="/${"p".repeat(500)}.png">`;
  const acceptances = createAcceptances({ db });
  const accept = (name: number) =>
    acceptances.accept(ada.id, run, { scope: "element", rule: { source: "axe", ruleId: "label" }, element: { target: [`#field${name}`], html: html.replace('alt=""', `id="field${name}"`), pageUrl: `${run.url}${name}` } }, { kind: "not_a_barrier", lastDay: null, reason: `Nummer ${name}` });
  const ids: string[] = [];
  for (let name = 0; name < 25; name += 1) ids.push((await accept(name)).id);
  const second = `/run/${run.id}/accepted?part=2`;
  const { text } = await ada.get(second);
  expect(text).toContain(`action="${second}"`);
  expect(text).toContain("… (gekürzt)");
  expect(await ada.post(second, { end: ids[0] ?? "" })).toMatchObject({ status: 303, location: second });
  await db.deleteFrom("acceptance").where("id", "in", ids).execute();
});

test("a report of which all is accepted claims no success, for its owner and for others", async () => {
  const third = await ada.post(formOf("link-name"), { ...GIVEN, what: "component", kind: "third_party", reason: "Vom Anbieter der Karte" });
  const rule = await ada.post(`/run/${run.id}/accept/image-alt`, { what: "rule", kind: "not_a_barrier", reason: "Nur Zierde" });
  expect([third.status, rule.status]).toEqual([303, 303]);
  const token = await createShares({ db }).create(ada.id, run.id, 7);
  const guest = visitorOf(server);
  for (const [reader, base] of [[ada, `/run/${run.id}`], [guest, `/shared/${token}`]] as const) {
    for (const path of ["", "/violations"]) {
      const { text } = await reader.get(`${base}${path}`);
      expect([path, text.includes("0 offene Verstöße, 4 akzeptierte Stellen.")]).toEqual([path, true]);
      for (const claim of ["keinen Verstoß gefunden", "Sieht gut aus", "keine Funde"]) expect(text).not.toContain(claim);
    }
    expect((await reader.get(`${base}/criteria`)).text).toContain("verletzt, alles akzeptiert");
    expect((await reader.get(`${base}/violations/link-name`)).text).toContain("0 offene Verstöße, 2 akzeptierte Stellen.");
    expect((await reader.get(`${base}/accepted`)).text).toContain("Inhalt von Dritten");
  }
  const shared = (await guest.get(`/shared/${token}/accepted`)).text;
  for (const secret of ["Vom Anbieter der Karte", "Das neue", "name=\"end\""]) expect(shared).not.toContain(secret);
  expect((await guest.post(`/shared/${token}/accepted`, { end: idOf(third.location) })).status).toBe(405);
  const runs = (await ada.get("/runs")).text;
  expect(runs).toContain("4 akzeptiert");
  expect((await ada.get("/account/export")).text).toContain("Vom Anbieter der Karte");
});

test("another user can neither accept, see nor end", async () => {
  const before = await db.selectFrom("acceptance").selectAll().execute();
  const own = before.find(({ ended_at }) => ended_at === null)?.id ?? "";
  const theirs = await finishedRun(db, results(), { owner: eve.id, at: Date.now() });
  expect((await eve.get(`/run/${theirs.id}`)).text).toContain("2 verletzte Regeln mit 4 betroffenen Stellen");
  expect((await eve.post(formOf(), GIVEN)).status).toBe(404);
  await eve.post(`/run/${theirs.id}/accepted`, { end: own });
  expect((await eve.get(`/run/${run.id}/accepted`)).status).toBe(404);
  expect(await db.selectFrom("acceptance").selectAll().execute()).toEqual(before);
});

test("a note on a finding is there in the next scan, and for nobody else; it can be deleted", async () => {
  const notes = `/run/${run.id}/notes/violations/image-alt/${pageId}/1`;
  expect((await ada.get(`/run/${run.id}/violations/image-alt/${pageId}/1`)).text).toContain(`href="${notes}"`);
  const empty = await ada.post(notes, { note: " " });
  expect([empty.status, empty.text.includes('href="#note"')]).toEqual([422, true]);
  const long = await ada.post(notes, { note: "x".repeat(2_001) });
  expect([long.status, long.text.includes("xxx</textarea>")]).toEqual([422, true]);
  const twice = await Promise.all([1, 2].map(() => ada.post(notes, { note: "Frag <i>Ben</i>" })));
  expect(twice).toMatchObject([1, 2].map(() => ({ status: 303, location: notes })));
  expect((await ada.get(notes)).text).toContain("Die Notiz ist gespeichert.");

  const next = await scan();
  const there = `violations/image-alt/${await pageOf(next)}`;
  const token = await createShares({ db }).create(ada.id, next.id, 7);
  const texts = await Promise.all([ada.get(`/run/${next.id}/${there}/1`), ada.get(`/run/${next.id}/${there}/0`), visitorOf(server).get(`/shared/${token}/${there}/1`), ada.get("/account/export")]);
  expect(texts.map(({ text }) => /Frag (&lt;i&gt;|<i>)Ben/.test(text))).toEqual([true, false, false, true]);
  expect((await eve.get(notes)).status).toBe(404);

  const { id } = await db.selectFrom("finding_note").select("id").executeTakeFirstOrThrow();
  await ada.post(`/run/${run.id}/notes/violations/image-alt/${pageId}/0`, { remove: id });
  expect(await db.selectFrom("finding_note").selectAll().execute()).toHaveLength(1);
  await ada.post(notes, { remove: id, note: "Begun" });
  expect(await db.selectFrom("finding_note").selectAll().execute()).toEqual([]);
  const after = (await ada.get(notes)).text;
  expect(["Begun</textarea>", "Die Notiz ist gelöscht."].map((part) => after.includes(part))).toEqual([true, true]);

  for (const note of ["One", "One", "Two", "One"]) await ada.post(notes, { note });
  expect((await db.selectFrom("finding_note").select("text").orderBy("written_at").execute()).map(({ text }) => text)).toEqual(["One", "Two", "One"]);
});
