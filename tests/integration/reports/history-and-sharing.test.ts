import type { Db } from "db/schema";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createSecretBox } from "~/platform/crypto/secret-box.server";
import type { Run } from "~/runs/run";
import type { ElementResult, PageResult } from "~/scan/types";
import { newMember, signIn, visitorOf, type Member } from "../../support/accounts/accounts";
import { finishedRun } from "../../support/database/finished-runs";
import { freePort } from "../../support/servers/free-port";
import { checkedPage, element, finding, uncheckedPage } from "../../support/database/page-results";
import { startServer, type TestServer } from "../../support/servers/server";

const SECRET = "s".repeat(40);
const SHOP = "https://shop.example/";
const PARTS = ["changes", "history", "review", "share", "schedule"];

let server: TestServer;
let db: Db;
let ada: Member;
let eve: Member;
let first: Run;
let second: Run;

beforeAll(async () => {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  server = await startServer({ browser: false, env: { PORT: String(port), BASE_URL: origin, TRUST_PROXY: "1", SESSION_SECRET: SECRET, BILLING: "off" } });
  db = await server.database();
  [ada, eve] = await Promise.all([newMember(server), newMember(server)]);
  const team = `${SHOP}team`;
  first = await finishedRun(db, [page(["logo", "banner"], ["hero", "footer"]), page(["portrait"], [], team)], { owner: ada.id, at: Date.now() - 2_000 });
  const now = [page(["logo", "map"], ["hero", "footer"]), uncheckedPage({ url: team })];
  second = await finishedRun(db, now, { owner: ada.id, at: Date.now() - 1_000 });
});

afterAll(() => server.stop());

const named = (tag: string) => (name: string): ElementResult => element({ target: [`#${name}`], html: `<${tag} id="${name}">` });

function page(pictures: string[], texts: string[], url = SHOP): PageResult {
  const of = (ruleId: string, elements: ElementResult[]) => finding(ruleId, { impact: "serious", elementCount: elements.length, elements });
  return checkedPage({
    url,
    findings: {
      violations: [of("image-alt", pictures.map(named("img")))],
      incomplete: texts.length > 0 ? [of("color-contrast", texts.map(named("p")))] : [],
      passes: [],
      inapplicable: [],
    },
  });
}

const guest = () => visitorOf(server);
const tile = (text: string, name: string) => new RegExp(`<dt>${name}</dt><dd><strong>(\\d+)</strong>`).exec(text)?.[1];

test("a report names the changes since the previous one", async () => {
  const { status, text } = await ada.get(`/run/${second.id}/changes`);
  expect(status).toBe(200);
  expect([tile(text, "Neu"), tile(text, "Behoben"), tile(text, "Unverändert")]).toEqual(["1", "1", "1"]);
  expect(text).toContain("Früher gefunden, diesmal nicht geprüft");
  expect((await ada.get(`/run/${first.id}/changes`)).text).toContain("Das ist die erste Prüfung dieser Adresse.");
  expect((await ada.get(`/run/${second.id}/changes?with=${first.id}`)).status).toBe(200);
  expect((await ada.get(`/run/${second.id}/changes?with=unknown`)).status).toBe(404);
});

test("a report says when the earlier ones have lost their details", async () => {
  const db = await server.database();
  const url = "https://archive.example/";
  await finishedRun(db, [checkedPage({ url })], { owner: ada.id, at: Date.now() - 60_000, evidence: "gone" });
  const latest = await finishedRun(db, [checkedPage({ url })], { owner: ada.id, at: Date.now() });
  const { text } = await ada.get(`/run/${latest.id}/changes`);
  expect([text.includes("haben ihre Einzelheiten nicht mehr"), text.includes("Das ist die erste Prüfung")]).toEqual([true, false]);
});

test("a history has a chart, and a table with the same data", async () => {
  const { status, text } = await ada.get(`/run/${second.id}/history`);
  expect(status).toBe(200);
  expect(text).toMatch(/<svg[^>]*role="img"[^>]*aria-label="Balken für 2 Prüfungen. Stellen bei der ersten: 3, bei der letzten: 2\./);
  expect(text.match(/<tr role="row">/g)).toHaveLength(3);
  expect(text).not.toMatch(/ style="/);
});

test("another user's run is reported like a missing one", async () => {
  for (const part of PARTS) {
    const [foreign, missing] = [await eve.get(`/run/${second.id}/${part}`), await eve.get(`/run/none/${part}`)];
    expect([part, foreign.status, missing.status]).toEqual([part, 404, 404]);
    const stranger = await guest().get(`/run/${second.id}/${part}`);
    expect([stranger.status, stranger.location]).toEqual([303, `/login?returnTo=${encodeURIComponent(`/run/${second.id}/${part}`)}`]);
    if (part === "changes" || part === "history") continue;
    expect((await eve.post(`/run/${second.id}/${part}`, { answer: "problem", days: "7", every: "week" })).status).toBe(404);
  }
});

test("an incomplete answer is returned with the typed text; a complete one holds for the next report", async () => {
  const list = `/run/${first.id}/review`;
  const { text } = await ada.get(list);
  const groups = [...text.matchAll(/name="group" value="([^"]+)"/g)].map(([, group = ""]) => group);
  expect(groups).toHaveLength(2);
  const question = { rule: "color-contrast", group: groups[0] ?? "" };

  const refused = await ada.post(list, { ...question, "answer-0": "ignore", "reason-0": " " });
  expect(refused.status).toBe(422);
  expect(refused.text).toContain(`href="#color-contrast-${groups[0]}-reason"`);
  expect(refused.text).toMatch(/<input[^>]*type="radio"[^>]*value="ignore"[^>]*checked=""|checked=""[^>]*value="ignore"/);
  expect((await ada.post(list, { ...question, group: "A".repeat(22), "answer-0": "problem" })).status).toBe(422);

  const kept = await ada.post(`${list}?part=1`, { ...question, "answer-0": "ignore", "reason-0": "<b>Logo</b>" });
  expect([kept.status, kept.location]).toEqual([303, `${list}#color-contrast-${groups[0]}`]);
  // The rest of the form was open or unchanged.
  expect((await ada.get(list)).text).toContain('name="was-0" value="ignore &lt;b&gt;Logo&lt;/b&gt;"');
  expect((await ada.post(list, { ...question, "answer-0": "ignore", "reason-0": "<b>Logo</b>", "was-0": "ignore <b>Logo</b>" })).text).toContain("Beantworten Sie mindestens eine Frage.");
  const next = (await ada.get(`/run/${second.id}/review?state=answered`)).text;
  expect(next).toContain("&lt;b&gt;Logo&lt;/b&gt;");
  expect(next).toContain("Nicht weiter beachten");
  expect((await ada.get(`/run/${second.id}/review?state=open`)).text.match(/name="group"/g)).toHaveLength(1);
});

/** Member, and the only question on the second page of their open questions. */
async function lastOfOpen() {
  const member = await newMember(server);
  const { id } = await finishedRun(db, [page([], Array.from({ length: 21 }, (_, at) => `row-${at}-x`))], { owner: member.id });
  const list = `/run/${id}/review`;
  const shown = (await member.get(`${list}?state=open&part=2`)).text;
  const [, group = ""] = /name="group" value="([^"]+)"/.exec(shown) ?? [];
  const [, action = ""] = /action="([^"]*since=[^"]*)"/.exec(shown) ?? [];
  const reason = { rule: "color-contrast", group, "answer-0": "ignore", "reason-0": "" };
  return { member, list, group, action: action.replaceAll("&amp;", "&"), incomplete: reason };
}

test("a refused answer on the last part stays there when an earlier question was answered meanwhile", async () => {
  const { member, list, group, action, incomplete } = await lastOfOpen();
  const [, first = ""] = /name="group" value="([^"]+)"/.exec((await member.get(`${list}?state=open`)).text) ?? [];
  await member.post(list, { rule: "color-contrast", group: first, "answer-0": "problem" });
  const refused = await member.post(action, incomplete);
  expect(refused.status).toBe(422);
  expect(refused.text).toContain(`href="#color-contrast-${group}-reason"`);
  expect(refused.text).toMatch(/<input[^>]*type="radio"[^>]*value="ignore"[^>]*checked=""|checked=""[^>]*value="ignore"/);
  const since = /since=\d+/.exec(action)?.[0] ?? "none";
  expect(refused.text).toContain(`href="${list}?state=open&amp;${since}"`);
});

test("answers that were sent after the session ran out are shown again, each at its question", async () => {
  const { member, group, action, incomplete } = await lastOfOpen();
  member.cookies.clear();
  expect((await member.post(action, { ...incomplete, "reason-0": "Logo" })).location).toBe(`/login?returnTo=${encodeURIComponent(action)}`);
  expect((await signIn(member, member.person, action)).location).toBe(action);
  const { text } = await member.get(action);
  expect(text).toContain("Sie waren zwischendurch abgemeldet");
  expect(text).toMatch(new RegExp(`<input[^>]*id="color-contrast-${group}-reason"[^>]*value="Logo"`));
  expect(text).toMatch(/<input[^>]*type="radio"[^>]*value="ignore"[^>]*checked=""|checked=""[^>]*value="ignore"/);
  expect((await member.get(action)).text).not.toContain("Sie waren zwischendurch abgemeldet");
});

test("a form with an incomplete answer is not saved: the answer is named, and everything typed is kept", async () => {
  const member = await newMember(server);
  const { id } = await finishedRun(db, [page([], ["hero", "footer", "aside"])], { owner: member.id });
  const list = `/run/${id}/review?state=open`;
  const groupsIn = (text: string) => [...text.matchAll(/name="group" value="([^"]+)"/g)].map(([, group = ""]) => group);
  const shown = (await member.get(list)).text;
  const groups = groupsIn(shown);
  const form = new URLSearchParams(groups.flatMap((group) => [["rule", "color-contrast"], ["group", group]]));
  for (const [name, value] of Object.entries({ "answer-0": "problem", "answer-1": "ignore", "answer-2": "no_problem", "reason-2": "Logo" })) form.set(name, value);
  const [, action = ""] = /action="([^"]*since=[^"]*)"/.exec(shown) ?? [];
  const refused = await member.post(action.replace("&amp;", "&"), form);
  expect(refused.status).toBe(422);
  const field = `color-contrast-${groups[1]}-reason`;
  expect(refused.text).toMatch(new RegExp(`<a href="#${field}">Frage 2 zu „[^<]+“: Begründen Sie, warum`));
  expect(refused.text).toMatch(new RegExp(`<label for="${field}">Begründung(?:<!-- -->)? <span class="visually-hidden">zu Frage 2:`));
  expect(groupsIn(refused.text)).toEqual(groups);
  const isChosen = (at: number, value: string) => new RegExp(`<input[^>]*name="answer-${at}"[^>]*checked=""[^>]*value="${value}"`).test(refused.text);
  expect([isChosen(0, "problem"), isChosen(1, "ignore"), isChosen(2, "no_problem")]).toEqual([true, true, true]);
  expect(refused.text).toMatch(new RegExp(`<input[^>]*id="color-contrast-${groups[2]}-reason"[^>]*value="Logo"`));
  expect(groupsIn((await member.get(list)).text)).toEqual(groups);

  form.set("group", "A".repeat(22));
  form.set("reason-1", "Werbung");
  for (const group of groups.slice(1)) form.append("group", group);
  expect((await member.post(list, form)).status).toBe(422);
  expect(groupsIn((await member.get(list)).text)).toEqual(groups);

  form.delete("group");
  for (const group of groups) form.append("group", group);
  expect((await member.post(list, form)).status).toBe(303);
  expect((await member.get(list)).text).toContain("Alle 3 Fragen sind beantwortet.");
});

test("no page reports success where nothing was checked, or is beyond the end of a list", async () => {
  const report = `/run/${second.id}`;
  const { id } = await db.selectFrom("page").select("id").where("run_id", "=", second.id).where("status", "=", "failed").executeTakeFirstOrThrow();
  const failed = (await ada.get(`${report}/violations?page=${id}`)).text;
  expect(failed).toContain("Über diese Seite sagt der Bericht nichts aus");
  expect(failed).not.toContain("Sieht von unserer Seite gut aus");
  expect((await ada.get(`${report}/pages?after=`)).text).toContain("/violations?page=");
  for (const list of ["violations/image-alt", "review"]) {
    expect((await ada.get(`${report}/${list}?part=99`)).location).toBe(`${report}/${list}?part=1`);
  }
});

test("a shared link opens only its report, for everyone, until it is revoked", async () => {
  const share = `/run/${second.id}/share`;
  expect((await ada.post(share, { days: "365" })).status).toBe(422);
  expect((await ada.post(share, { days: "7" })).location).toBe(share);
  const [, link = ""] = new RegExp(`value="${server.origin}(/shared/[^"]+)"`).exec((await ada.get(share)).text) ?? [];
  expect(link).toMatch(/^\/shared\/[\w-]{43}$/);
  // The link is shown once.
  const again = (await ada.get(share)).text;
  expect(again).not.toContain(link);
  const [, id = ""] = /name="remove" value="([^"]+)"/.exec(again) ?? [];

  const element = /\/violations\/image-alt\/\d+\/0/.exec((await guest().get(`${link}/violations/image-alt`)).text)?.[0] ?? "";
  const parts = ["/violations", "/violations?q=logo", "/violations/image-alt", element, "/incomplete", "/passes", "/criteria", "/pages", "/pages?failed=1"];
  const pages = [link, ...parts.map((part) => `${link}${part}`)];
  for (const address of pages) {
    const { status, headers, text } = await guest().get(address);
    expect([address, status, headers.get("x-robots-tag"), headers.get("cache-control")]).toEqual([address, 200, "noindex", "private, no-store"]);
    expect(text).toContain("shop.example");
    expect(text).not.toMatch(/(href|action|src)="\/runs?[/"]/);
    expect(text).not.toContain(second.id);
    expect(text).not.toContain(ada.person.email);
  }
  expect((await guest().get(`${link}/violations/none`)).status).toBe(404);
  expect((await guest().post(link, {})).status).toBe(405);

  expect((await ada.post(share, { remove: id })).status).toBe(303);
  for (const address of pages) expect((await guest().get(address)).status).toBe(404);
  expect((await guest().get(`/shared/${"A".repeat(43)}`)).status).toBe(404);
});

test("an expired link is reported like a missing one", async () => {
  const share = `/run/${second.id}/share`;
  await ada.post(share, { days: "1" });
  const [, link = ""] = new RegExp(`value="${server.origin}(/shared/[^"]+)"`).exec((await ada.get(share)).text) ?? [];
  await db.updateTable("share").set({ expires_at: Date.now() - 1 }).execute();
  const [expired, unknown] = [await guest().get(link), await guest().get(`/shared/${"B".repeat(43)}`)];
  const words = (text: string) => text.replace(/<[^>]+>/g, " ").replace(/Fehlerkennung: \w+/, "").replace(/\s+/g, " ").slice(0, 2_000);
  expect([expired.status, unknown.status]).toEqual([404, 404]);
  expect(words(expired.text).split("{")[0]).toBe(words(unknown.text).split("{")[0]);
});

test("a run is repeated on the owner's schedule until the schedule is ended", async () => {
  const schedule = `/run/${second.id}/schedule`;
  expect((await ada.post(schedule, { every: "hour" })).status).toBe(422);
  expect((await ada.post(schedule, { every: "week", mails: "yes" })).location).toBe(schedule);
  expect((await ada.get(schedule)).text).toContain("Jede Woche");
  const before = await db.selectFrom("schedule").selectAll().executeTakeFirstOrThrow();
  await ada.post(schedule, { every: "month" });
  const after = await db.selectFrom("schedule").selectAll().executeTakeFirstOrThrow();
  expect([before.every, before.mails, after.every, after.mails]).toEqual(["week", 1, "month", 0]);
  expect(after.next_run_at).toBeGreaterThan(before.next_run_at);
  await ada.post(schedule, { do: "end" });
  expect(await db.selectFrom("schedule").selectAll().execute()).toEqual([]);
});

test("all schedules are in one list, where only their owner can end them", async () => {
  await ada.post(`/run/${first.id}/schedule`, { every: "week", mails: "yes" });
  expect((await ada.get("/runs")).text).toContain("1 wiederholte Prüfung");
  const { text } = await ada.get("/runs/schedules");
  const [, id = ""] = /name="end" value="([^"]+)"/.exec(text) ?? [];
  expect(text).toContain(`href="/runs/schedules/${id}"`);
  expect((await eve.get("/runs/schedules")).text).not.toContain(SHOP);
  await eve.post("/runs/schedules", { end: id });
  expect((await ada.get("/runs/schedules")).text).toContain(id);
  expect((await ada.post("/runs/schedules", { end: id })).location).toBe("/runs/schedules");
  expect((await ada.get("/runs/schedules")).text).toContain("Zurzeit wird keine Ihrer Prüfungen wiederholt.");
  expect(await db.selectFrom("schedule").selectAll().execute()).toEqual([]);
});

test("one click on the page of the link ends the mails; opening the link does not", async () => {
  await ada.post(`/run/${second.id}/schedule`, { every: "week", mails: "yes" });
  const row = () => db.selectFrom("schedule").selectAll().executeTakeFirstOrThrow();
  const link = `/unsubscribe/${createSecretBox([SECRET]).seal((await row()).id, "unsubscribe")}`;
  expect((await guest().get(link)).text).toContain("Abbestellen");
  expect((await row()).mails).toBe(1);
  expect((await guest().post(link, { "List-Unsubscribe": "One-Click" })).status).toBe(200);
  expect((await row()).mails).toBe(0);
  const done = (await guest().get(link)).text;
  expect(done).toContain("Die E-Mails sind abbestellt");
  expect(done).toContain('href="/runs/schedules"');
  expect((await guest().get("/unsubscribe/1.forged")).status).toBe(404);
  expect((await guest().post("/unsubscribe/1.forged", {})).status).toBe(404);
});
