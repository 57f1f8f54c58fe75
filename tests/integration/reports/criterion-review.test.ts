import { afterAll, beforeAll, expect, test } from "vitest";
import { createShares } from "~/reports/share/share.server";
import type { Run } from "~/runs/run";
import { newMember, sendSignedOut, visitorOf, type Member } from "../../support/accounts/accounts";
import { finishedRun } from "../../support/database/finished-runs";
import { checkedPage, element, finding } from "../../support/database/page-results";
import { startServer, type TestServer } from "../../support/servers/server";

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

/** Target of the form. */
const actionOf = (text: string) => /<form[^>]*action="([^"]*\/review\/criteria[^"]*)"/.exec(text)?.[1]?.replaceAll("&amp;", "&") ?? "";
const numbersIn = (text: string) => [...text.matchAll(/name="criterion" value="([\d.]+)"/g)].map(([, number = ""]) => number);

/** Fields that a browser sends for the unchanged form of the page. */
function fieldsOf(text: string): URLSearchParams {
  const form = new URLSearchParams();
  for (const [tag, name = "", note] of text.matchAll(/<(?:input|textarea)[^>]*\bname="(criterion|(?:was|verdict|note)-\d+)"[^>]*>([^<]*)/g)) {
    if (name.startsWith("verdict") && !tag.includes("checked")) continue;
    const value = name.startsWith("note") ? note : /value="([^"]*)"/.exec(tag)?.[1];
    form.append(name, (value ?? "").replaceAll("&lt;", "<").replaceAll("&gt;", ">"));
  }
  return form;
}

async function storedOf(address: string) {
  const db = await server.database();
  const rows = await db.selectFrom("criterion_review").select(["criterion", "verdict", "note"]).where("address", "=", address).orderBy("criterion").execute();
  return rows.map(({ criterion, verdict, note }) => [criterion, verdict, note]);
}

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
  const refused = await ada.post(list, { criterion: "2.1.1", verdict: "not_fulfilled", note: " " });
  expect(refused.status).toBe(422);
  expect(refused.text).toContain('href="#criterion-2-1-1-note"');
  expect(refused.text).toMatch(/<input[^>]*value="not_fulfilled"[^>]*checked=""|checked=""[^>]*value="not_fulfilled"/);

  const undecided = await ada.post(list, { criterion: "2.1.1", note: "Das <b>Menü</b>" });
  expect(undecided.status).toBe(422);
  expect(undecided.text).toContain('href="#criterion-2-1-1-verdict"');
  expect(undecided.text).toMatch(/>2\.1\.1 [^<]*: Wählen Sie ein Urteil\.</);
  expect(undecided.text).toContain("Das &lt;b&gt;Menü&lt;/b&gt;</textarea>");
  // Criterion of a level outside of this scan, so that the other verdict of the form is not saved either.
  const ofBoth = new URLSearchParams([["criterion", "2.1.1"], ["criterion", "1.4.6"], ["verdict-0", "fulfilled"], ["verdict-1", "fulfilled"]]);
  expect((await ada.post(listOf(basic), ofBoth)).status).toBe(422);
  expect(await storedOf("https://other.example")).toEqual([]);
});

test("a criterion with a rule that did not finish on some page is not one for which nothing was found, in no view", async () => {
  const passes = [finding("rampe-focus-visible", { tags: ["wcag2aa", "wcag247"], elementCount: 3 })];
  const pages = [checkedPage({ url: "https://third.example/", findings: { violations: [], incomplete: [], passes, inapplicable: [] } }), checkedPage({ url: "https://third.example/long", partial: ["rampe-focus-visible"] })];
  const run = await finishedRun(await server.database(), pages, { owner: ada.id, url: "https://third.example/", at: Date.now() });
  const rowsOf = (text: string) => [...text.matchAll(/<tr [^>]*>.*?<\/tr>/gs)].flatMap(([row]) => (row.includes(">2.4.7 ") ? [row] : []));
  const { text } = await ada.get(`/run/${run.id}/criteria`);
  expect(text).toContain("Was bei 1280 Pixeln Breite gefunden wurde, kann auch in den anderen Ansichten gelten");
  expect(text).toContain("„Nicht zu Ende geprüft“ heißt, dass eine Regel auf mindestens einer Seite nicht zu Ende kam.");
  const rows = rowsOf(text);
  expect(rows).toHaveLength(2);
  for (const row of rows) {
    expect(row).toContain("nicht zu Ende geprüft");
    expect(row).not.toContain("nichts gefunden");
  }
});

test("a verdict is shown with its person, in the next scan of the site, in table and exports, and can be taken back", async () => {
  const kept = await ada.post(listOf(first), { criterion: "2.1.1", verdict: "not_fulfilled", note: "Das <b>Menü</b>" });
  expect([kept.status, kept.location]).toEqual([303, `${listOf(first)}#criterion-2-1-1`]);
  await ada.post(`${listOf(first)}?state=open&part=2`, { criterion: "1.1.1", verdict: "fulfilled" });

  const answered = (await ada.get(`${listOf(second)}?state=answered`)).text;
  expect(answered.match(/name="criterion"/g)).toHaveLength(2);
  for (const said of ["2 von 86 Kriterien", "Das &lt;b&gt;Menü&lt;/b&gt;", "Dieses Urteil ist älter als diese Prüfung.", "Die automatische Prüfung hat hier einen Verstoß gefunden."]) expect(answered).toContain(said);
  expect((await ada.get(`${listOf(first)}?state=answered`)).text).not.toContain("Dieses Urteil ist älter");

  // A refused question is shown again, although it is in another list meanwhile.
  const refused = (await ada.post(`${listOf(second)}?state=answered&criterion=1.1.1,1.4.5,2.1.1`, { criterion: "1.4.5", verdict: "not_fulfilled", note: " " })).text;
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

test("all criteria of a part are one form: with an incomplete verdict nothing is saved, and everything typed comes back where it was", async () => {
  const list = `${listOf(basic)}?state=open&part=3`;
  const { text } = await ada.get(list);
  const [path, form, numbers] = [actionOf(text), fieldsOf(text), numbersIn(text)];
  expect([text.match(/<form[^>]*review\/criteria[^>]*>/g)?.length, numbers.length]).toEqual([1, 15]);
  form.set("verdict-0", "fulfilled");
  form.set("verdict-1", "not_fulfilled");
  form.set("note-2", "Das <b>Menü</b>");
  const refused = await ada.post(path, form);
  expect(refused.status).toBe(422);
  expect(numbersIn(refused.text)).toEqual(numbers);
  const idOf = (at: number) => `criterion-${numbers[at]?.replaceAll(".", "-")}`;
  for (const said of [`href="#${idOf(1)}-note"`, `href="#${idOf(2)}-verdict"`, "Das &lt;b&gt;Menü&lt;/b&gt;</textarea>"]) expect(refused.text).toContain(said);
  expect(await storedOf("https://other.example")).toEqual([]);
  const again = fieldsOf(refused.text);
  expect([again.get("verdict-0"), again.get("verdict-1"), again.get("note-2")]).toEqual(["fulfilled", "not_fulfilled", "Das <b>Menü</b>"]);

  again.set("note-1", "Fußzeile");
  again.set("verdict-2", "not_applicable");
  const saved = await ada.post(actionOf(refused.text), again);
  expect([saved.status, saved.location]).toEqual([303, `${list}#questions`]);
  expect(await storedOf("https://other.example")).toEqual([[numbers[0], "fulfilled", null], [numbers[1], "not_fulfilled", "Fußzeile"], [numbers[2], "not_applicable", "Das <b>Menü</b>"]]);
  expect((await ada.get(listOf(basic))).text).toContain("Ihre Urteile sind gespeichert.");
  const { text: rest } = await ada.get(list);
  const nothing = await ada.post(actionOf(rest), fieldsOf(rest));
  expect([nothing.status, nothing.text.includes("Beurteilen Sie mindestens ein Kriterium.")]).toEqual([422, true]);
});

test("a verdict that was given in another tab is neither overwritten nor deleted, until its person has seen it", async () => {
  const { text } = await ada.get(listOf(basic));
  const [path, [one = "", other = ""]] = [actionOf(text), numbersIn(text)];
  expect((await ada.post(listOf(basic), { criterion: one, verdict: "not_fulfilled", note: "Das Menü" })).status).toBe(303);
  const stored = async () => (await storedOf("https://other.example")).filter(([criterion]) => criterion === one || criterion === other);

  const form = fieldsOf(text);
  form.set("verdict-1", "fulfilled");
  expect((await ada.post(path, form)).status).toBe(303);
  expect(await stored()).toEqual([[one, "not_fulfilled", "Das Menü"], [other, "fulfilled", null]]);
  for (const [verdict, note] of [["fulfilled", ""], ["open", "Später"]] as const) {
    form.set("verdict-0", verdict);
    form.set("note-0", note);
    form.set("note-1", "Fußzeile");
    const refused = await ada.post(path, form);
    expect([refused.status, refused.text.includes("Inzwischen wurde hier ein anderes Urteil gespeichert"), refused.text.includes("<bdi>Das Menü</bdi>")]).toEqual([422, true, true]);
    expect(await stored()).toEqual([[one, "not_fulfilled", "Das Menü"], [other, "fulfilled", null]]);
    const seen = fieldsOf(refused.text);
    expect([seen.get("verdict-0"), seen.get("note-0"), seen.get("note-1")]).toEqual([verdict, note, "Fußzeile"]);
    if (verdict === "open") expect((await ada.post(actionOf(refused.text), seen)).status).toBe(303);
  }
  expect(await stored()).toEqual([[one, "open", "Später"], [other, "fulfilled", "Fußzeile"]]);
});

test("twenty long notes in any script fit into the form", async () => {
  const { text } = await ada.get(`${listOf(basic)}?part=2`);
  const form = fieldsOf(text);
  for (let at = 0; at < 20; at += 1) {
    form.set(`verdict-${at}`, "fulfilled");
    form.set(`note-${at}`, "Ж".repeat(1_000));
  }
  expect((await ada.post(actionOf(text), form)).status).toBe(303);
});

test("nobody else can read or change verdicts", async () => {
  expect((await eve.get(listOf(first))).status).toBe(404);
  expect((await eve.post(listOf(first), { criterion: "2.1.1", verdict: "fulfilled" })).status).toBe(404);
  expect((await ada.get(listOf(first))).text).toContain("0 von 86 Kriterien");
});
