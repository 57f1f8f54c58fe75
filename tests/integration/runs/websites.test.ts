import type { Db } from "db/schema";
import { afterAll, beforeAll, expect, test } from "vitest";
import { partyOfUser } from "~/platform/limits/parties.server";
import { newMember, signIn, type Member } from "../../support/accounts/accounts";
import { finishedRun, runsOf } from "../../support/database/finished-runs";
import { checkedPage, finding } from "../../support/database/page-results";
import { startServer, type TestServer } from "../../support/servers/server";
import { WCAG22AA } from "../../support/scan/scanner";

const SHOP = "https://shop.example/";

let server: TestServer;
let db: Db;

beforeAll(async () => {
  server = await startServer({ browser: false, env: { TRUST_PROXY: "1", BILLING: "off", SCAN_WAITING_PER_ACCOUNT: "3" } });
  db = await server.database();
});

afterAll(() => server.stop());

const found = (url: string, elementCount: number) =>
  checkedPage({ url, findings: { violations: [finding("image-alt", { impact: "serious", elementCount })], incomplete: [], passes: [], inapplicable: [] } });

/** Running run without a job, so that its state stays. */
async function running(ada: Member) {
  const run = await runsOf(db).start({ url: SHOP, owner: ada.id, scope: "site", standard: WCAG22AA });
  const progress = { status: "running", started_at: Date.now() - 60_000, pages: 9, known_pages: 27, violations: 1 } as const;
  await db.updateTable("run").set(progress).where("id", "=", run.id).execute();
  return `/run/${run.id}`;
}

test("a website is checked again from the list, with the settings of its last scan; the list stays where it was", async () => {
  const ada = await newMember(server);
  await finishedRun(db, [found(SHOP, 3)], { owner: ada.id, at: Date.now(), maxPages: 7, excludedPaths: ["/archive/"], standard: { ...WCAG22AA, level: "AAA" } });
  const list = await ada.get("/websites?q=shop&order=latest");
  expect(list.text).toContain('action="/websites?q=shop&amp;order=latest"');
  const answer = await ada.post("/websites?q=shop&order=latest", { website: "shop.example" });
  expect([answer.status, answer.location]).toEqual([303, "/websites?q=shop&order=latest"]);
  const row = await db.selectFrom("run").selectAll().where("owner", "=", ada.id).orderBy("created_at", "desc").executeTakeFirstOrThrow();
  expect(row).toMatchObject({ url: SHOP, scope: "site", max_pages: 7, left_out: '["/archive/"]', standard_level: "AAA" });
  await db.updateTable("run").set({ status: "running" }).where("id", "=", row.id).execute();
  const again = await ada.post("/websites", { website: "shop.example" });
  expect([again.status, again.location]).toEqual([303, `/run/${row.id}`]);
});

test("a website is checked again from its own page, which stays, and says why not", async () => {
  const ada = await newMember(server);
  const path = "/websites/shop.example";
  await finishedRun(db, [found(SHOP, 3)], { owner: ada.id, at: Date.now() });
  expect((await ada.get(path)).text).toContain('id="check-shop.example"');
  const waiting = { queue: "site", payload: "{}", state: "queued", party: partyOfUser(ada.id), run_at: Date.now() + 30_000, created_at: Date.now() } as const;
  const { id } = await finishedRun(db, [found("https://other.example/", 1)], { owner: ada.id });
  for (const name of ["a", "b", "c"]) await db.insertInto("job").values({ id: name, run_id: id, ...waiting }).execute();
  const refused = await ada.post(path, { website: "shop.example" });
  expect([refused.status, refused.text.includes('href="#check-shop.example"'), refused.text.includes('id="check-shop.example"')]).toEqual([422, true, true]);
  await db.deleteFrom("job").where("party", "=", waiting.party).execute();
  const answer = await ada.post(path, { website: "shop.example" });
  expect([answer.status, answer.location]).toEqual([303, path]);
});

test("a website is named as people write it, and its page lists schedules of its other addresses", async () => {
  const ada = await newMember(server);
  const url = "https://xn--mller-kva.example/";
  await finishedRun(db, [found(url, 3)], { owner: ada.id, at: Date.now(), url });
  for (const name of [`${url}laden`, "https://elsewhere.example/"]) {
    const run = await finishedRun(db, [found(name, 1)], { owner: ada.id, at: Date.now() - 1_000, scope: "page", url: name });
    await ada.post(`/run/${run.id}/schedule`, { every: "month", hour: "4" });
  }
  const list = (await ada.get("/websites?q=m%C3%BCller")).text;
  expect([list.includes(">müller.example<"), list.includes("jeden Monat")]).toEqual([true, true]);
  const page = (await ada.get("/websites/xn--mller-kva.example")).text;
  expect(page).toMatch(/<h1[^>]*>müller.example</);
  expect(page).toContain("Andere wiederholte Prüfungen");
  expect([page.includes(`>${url}laden</strong>`), page.includes("elsewhere.example")]).toEqual([true, false]);
});

test("a website is scheduled from its page, and everything said there is kept", async () => {
  const ada = await newMember(server);
  await finishedRun(db, [found(SHOP, 3)], { owner: ada.id, at: Date.now() });
  const wrong = await ada.post("/websites/shop.example", { every: "hour", hour: "25", mails: "yes" });
  expect(wrong.status).toBe(422);
  for (const field of ["every", "hour"]) expect(wrong.text).toContain(`href="#${field}"`);
  const answer = await ada.post("/websites/shop.example", { every: "day", hour: "4" });
  expect([answer.status, answer.location]).toEqual([303, "/websites/shop.example"]);
  expect(await db.selectFrom("schedule").selectAll().where("owner", "=", ada.id).execute()).toMatchObject([{ url: SHOP, every: "day", hour: 4, mails: 0 }]);
  expect((await ada.get("/websites/shop.example")).text).toContain("4 Uhr");

  const half = await ada.post("/websites/shop.example", { every: "day", hour: "4", accessPassword: "open sesame" });
  expect([half.status, half.text.includes('href="#accessUser"'), half.text.includes("open sesame")]).toEqual([422, true, false]);
  const access = { accessUser: "guest", accessPassword: "open sesame" };
  for (const [sent, field] of [[{ accessUser: "guest" }, "accessPassword"], [{ ...access, forgetAccess: "yes" }, "accessUser"]] as const) {
    const refused = await ada.post("/websites/shop.example", { every: "day", hour: "4", ...sent });
    expect([refused.status, refused.text.includes(`href="#${field}"`)]).toEqual([422, true]);
  }
  await ada.post("/websites/shop.example", { every: "day", hour: "4", ...access });
  const pages = await Promise.all(["/websites/shop.example", "/runs/schedules", "/account/export"].map((path) => ada.get(path)));
  expect(pages[0]?.text).toContain("Es sind Zugangsdaten gespeichert");
  for (const { text } of pages) expect(text).not.toMatch(/guest|sesame/);
  await ada.post("/websites/shop.example", { website: "shop.example" });
  expect(await db.selectFrom("run").select("access").where("owner", "=", ada.id).orderBy("created_at", "desc").executeTakeFirst()).toEqual({ access: expect.any(String) });
  await ada.post("/websites/shop.example", { every: "day", hour: "4", forgetAccess: "yes" });
  expect((await ada.get("/websites/shop.example")).text).not.toContain("Es sind Zugangsdaten gespeichert");

  await ada.post("/websites/shop.example", { do: "end" });
  expect(await db.selectFrom("schedule").selectAll().where("owner", "=", ada.id).execute()).toEqual([]);
});

test("the forms of a website act on the schedule that its page showed, although another scan has ended meanwhile", async () => {
  const ada = await newMember(server);
  const path = "/websites/shop.example";
  const rows = () => db.selectFrom("schedule").select(["url", "scope", "every", "access"]).where("owner", "=", ada.id).execute();
  /** Hidden fields of the form that contains the button or field. */
  const shownIn = (text: string, mark: string) => {
    const form = text.match(/<form[^]*?<\/form>/g)?.find((each) => each.includes(mark)) ?? "";
    return Object.fromEntries([...form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value])) as Record<string, string>;
  };
  await finishedRun(db, [found(`${SHOP}basket`, 3)], { owner: ada.id, scope: "page", at: Date.now() - 60_000 });
  await ada.post(path, { every: "week", hour: "4", accessUser: "guest", accessPassword: "open sesame" });
  const { text } = await ada.get(path);
  await finishedRun(db, [found(SHOP, 3)], { owner: ada.id, at: Date.now() });

  const changed = await ada.post(path, { ...shownIn(text, 'name="every"'), every: "day", hour: "5" });
  expect([changed.status, changed.text.includes('href="#every"'), changed.text.includes(`die ganze Website ${SHOP}`)]).toEqual([422, true, true]);
  expect(changed.text).toMatch(/<option value="5" selected/);
  const half = await ada.post(path, { ...shownIn(text, 'name="every"'), every: "day", hour: "25" });
  expect([half.status, half.text.includes(`die ganze Website ${SHOP}`)]).toEqual([422, true]);
  expect(await rows()).toEqual([{ url: `${SHOP}basket`, scope: "page", every: "week", access: expect.any(String) }]);

  await ada.post(path, { ...shownIn(text, 'name="every"'), do: "forgetAccess" });
  expect((await ada.get(path)).text).toContain("Die gespeicherten Zugangsdaten sind gelöscht.");
  expect(await rows()).toMatchObject([{ scope: "page", access: null }]);
  const end = { ...shownIn(text, 'value="end"'), do: "end" };
  await ada.post(path, end);
  expect((await ada.get(path)).text).toContain("Diese Prüfung wird nicht mehr wiederholt.");
  expect(await rows()).toEqual([]);
  // No schedule is left: a second click gets no message that one has ended.
  for (const sent of [end, { do: "end" }, { do: "forgetAccess" }]) {
    expect((await ada.post(path, sent)).status).toBe(303);
    expect((await ada.get(path)).text).not.toMatch(/Diese Prüfung wird nicht mehr wiederholt|Zugangsdaten sind gelöscht/);
  }
  expect((await ada.post(path, { ...shownIn(changed.text, 'name="every"'), every: "day", hour: "5" })).status).toBe(303);
  expect(await rows()).toMatchObject([{ url: SHOP, scope: "site", every: "day" }]);
});

test("a second scan of the same website is told that one is running, and may start anyway", async () => {
  const ada = await newMember(server);
  const first = await running(ada);
  const order = { url: "shop.example", scope: "site", level: "AA", maxPages: "5", mail: "yes" };
  const refused = await ada.post("/runs/new", order);
  expect(refused.status).toBe(422);
  expect(refused.text).toContain(`href="${first}"`);
  expect(refused.text).toContain('name="anyway"');
  expect(refused.text).toContain('value="5"');
  const answer = await ada.post("/runs/new", { ...order, anyway: "yes" });
  expect([answer.status, answer.location === first]).toEqual([303, false]);
  expect((await db.selectFrom("run").selectAll().where("id", "=", answer.location?.slice("/run/".length) ?? "").executeTakeFirst())?.mail_when_done).toBe(1);
});

test("the page of a running scan says how far it is, and reloads itself without scripts only when asked to", async () => {
  const ada = await newMember(server);
  const path = await running(ada);
  const plain = await ada.get(path);
  expect(plain.text).toContain("<title>9 von 27 Seiten geprüft");
  expect(plain.text).toContain("Noch etwa 2 Minuten.");
  expect(plain.text).toContain("Sie können diese Seite schließen");
  expect(plain.text).not.toContain("http-equiv");
  expect(plain.text).toContain(`href="${path}?refresh=on"`);
  const asked = await ada.get(`${path}?refresh=on`);
  expect(asked.text).toMatch(/<noscript><meta http-equiv="refresh" content="30"\/?><\/noscript>/i);
  expect(asked.text).toMatch(new RegExp(`<noscript><p>Diese Seite lädt alle 30 Sekunden von selbst neu.(?:<!-- -->)? <a href="${path}">Nicht mehr`));
  expect(asked.text).not.toContain("Laden Sie diese Seite neu");
});

test("a page that reloads itself goes on doing so after its link and its mail form", async () => {
  const ada = await newMember(server);
  const path = await running(ada);
  const { text } = await ada.get(`${path}?refresh=on`);
  expect(text).toMatch(new RegExp(`<a class="button"[^>]* href="${path}\\?refresh=on"`));
  expect(text).toContain(`action="${path}/mail?refresh=on"`);
  expect((await ada.post(`${path}/mail?refresh=on`, { mail: "yes" })).location).toBe(`${path}?refresh=on`);
  expect((await ada.get(`${path}/mail?refresh=on`)).location).toBe(`${path}?refresh=on`);
});

test("a free check that is not over tells visitors without scripts what to do, and reloads itself when asked to", async () => {
  const { id } = await runsOf(db).start({ url: SHOP, owner: null, scope: "page", standard: WCAG22AA });
  const path = `/check/${id}`;
  // More than the time that the server waits for a result.
  await db.updateTable("run").set({ created_at: Date.now() - 60_000 }).where("id", "=", id).execute();
  const shown = async (query: string) => (await fetch(`${server.origin}${path}${query}`, { headers: { "Sec-Fetch-Dest": "empty" } })).text();
  const plain = await shown("");
  expect(plain).toContain("<title>Prüfung läuft: shop.example");
  expect(plain).toContain("Laden Sie diese Seite neu, um das Ergebnis zu sehen.");
  expect(plain).toContain(`<noscript><p><a href="${path}?refresh=on">`);
  expect(plain).not.toContain("http-equiv");
  // Read with the page; only later changes are announced, at most every 30 s.
  expect(plain).toMatch(/<p class="lead">Die Seite wird gerade geöffnet[^<]*<\/p><p class="visually-hidden" role="status"><\/p>/);
  const asked = await shown("?refresh=on");
  expect(asked).toMatch(/<noscript><meta http-equiv="refresh" content="15"\/?><\/noscript>/i);
  expect(asked).toMatch(new RegExp(`<noscript><p>Diese Seite lädt alle 15 Sekunden von selbst neu.(?:<!-- -->)? <a href="${path}">Nicht mehr`));
  expect(asked).toMatch(new RegExp(`<a class="button"[^>]* href="${path}\\?refresh=on"`));
  await db.updateTable("run").set({ status: "failed", reason: "crashed" }).where("id", "=", id).execute();
  expect(await shown("?refresh=on")).not.toContain("http-equiv");
});

test("a mail is asked for and declined on the page of the scan", async () => {
  const ada = await newMember(server);
  const path = await running(ada);
  const wanted = async () => (await db.selectFrom("run").select("mail_when_done").where("id", "=", path.slice("/run/".length)).executeTakeFirstOrThrow()).mail_when_done;
  expect((await ada.post(`${path}/mail`, { mail: "yes" })).location).toBe(path);
  expect(await wanted()).toBe(1);
  expect((await ada.get(path)).text).toContain(ada.person.email);
  await ada.post(`${path}/mail`, { mail: "no" });
  expect(await wanted()).toBe(2);
  await db.updateTable("run").set({ status: "canceled" }).where("id", "=", path.slice("/run/".length)).execute();
  const again = (await ada.get(`/runs/new?again=${path.slice("/run/".length)}`)).text;
  const offer = (text: string) => /<input[^>]*name="mail"[^>]*>/.exec(text)?.[0];
  expect([offer(again)?.includes("checked"), offer((await ada.get("/runs/new")).text)?.includes("checked")]).toEqual([false, true]);
});

test.each(["website", "report", "schedule"])("a schedule typed on the page of a %s after the session ran out is there after signing in, but no secret", async (of) => {
  const ada = await newMember(server);
  const run = await finishedRun(db, [found(SHOP, 3)], { owner: ada.id, at: Date.now() });
  await ada.post("/websites/shop.example", { every: "week", hour: "4" });
  const { id } = await db.selectFrom("schedule").select("id").where("owner", "=", ada.id).executeTakeFirstOrThrow();
  const path = { website: "/websites/shop.example", report: `/run/${run.id}/schedule`, schedule: `/runs/schedules/${id}` }[of] ?? "";
  const again = async (fields: Record<string, string>) => {
    ada.cookies.clear();
    const asked = await ada.post(path, fields);
    expect(asked.location).toBe(`/login?returnTo=${encodeURIComponent(path)}`);
    expect((await signIn(ada, ada.person, path)).location).toBe(path);
    return (await ada.get(path)).text;
  };
  const notice = "Sie waren zwischendurch abgemeldet";
  const text = await again({ every: "month", hour: "5", accessUser: "guest", accessPassword: "open sesame", accessCookie: "" });
  const field = (name: string, value = "", page = text) => page.match(new RegExp(`<input[^>]*name="${name}"[^>]*>`, "g"))?.find((input) => input.includes(`value="${value}`)) ?? "";
  expect([text.includes(notice), text.includes("sesame"), text.includes("Passwörter und Cookies schicken wir nie zurück")]).toEqual([true, false, true]);
  expect([field("every", "month").includes("checked"), field("every", "week").includes("checked"), field("mails").includes("checked")]).toEqual([true, false, false]);
  expect([field("accessUser").includes('value="guest"'), /<option value="5" selected/.test(text), /<details class="more" open/.test(text)]).toEqual([true, true, true]);
  expect((await ada.get(path)).text).not.toContain(notice);
  // Form without secrets, and another form of the page.
  expect(await again({ every: "month", hour: "5", accessUser: "", accessPassword: "", accessCookie: "" })).not.toContain('<details class="more" open');
  const other = await again({ do: "end" });
  expect([other.includes(`${notice}, deshalb ist nichts geschehen`), field("every", "week", other).includes("checked")]).toEqual([true, true]);
  expect(await db.selectFrom("schedule").select(["every", "access"]).where("owner", "=", ada.id).execute()).toEqual([{ every: "week", access: null }]);
});

test.each(["/runs/schedules", "/websites"])("a button of %s that was pressed after the session ran out has done nothing, which the page says", async (path) => {
  const ada = await newMember(server);
  const run = await finishedRun(db, [found(SHOP, 3)], { owner: ada.id, at: Date.now() });
  await ada.post(`/run/${run.id}/schedule`, { every: "week", hour: "4" });
  const { id } = await db.selectFrom("schedule").select("id").where("owner", "=", ada.id).executeTakeFirstOrThrow();
  ada.cookies.clear();
  await ada.post(path, path === "/websites" ? { website: "shop.example" } : { end: id });
  expect((await signIn(ada, ada.person, path)).location).toBe(path);
  const notice = "Sie waren zwischendurch abgemeldet, deshalb ist nichts geschehen";
  expect([(await ada.get(path)).text.includes(notice), (await ada.get(path)).text.includes(notice)]).toEqual([true, false]);
  expect(await db.selectFrom("schedule").select("id").where("owner", "=", ada.id).execute()).toEqual([{ id }]);
});

test("credentials that can no longer be read are typed again or deleted; a form without either is refused", async () => {
  const ada = await newMember(server);
  await finishedRun(db, [found(SHOP, 3)], { owner: ada.id, at: Date.now() });
  const path = "/websites/shop.example";
  await ada.post(path, { every: "week", hour: "4", accessUser: "guest", accessPassword: "open sesame" });
  await db.updateTable("schedule").set({ paused: "access" }).where("owner", "=", ada.id).execute();
  const { text } = await ada.get(path);
  expect([text.includes("nicht mehr lesbar"), text.includes("bleiben alle Felder leer")]).toEqual([true, false]);
  const refused = await ada.post(path, { every: "month", hour: "4" });
  expect([refused.status, refused.text.includes('href="#accessUser"')]).toEqual([422, true]);
  expect((await ada.post(path, { every: "week", hour: "4", forgetAccess: "yes" })).status).toBe(303);
  expect(await db.selectFrom("schedule").select(["access", "paused"]).where("owner", "=", ada.id).execute()).toEqual([{ access: null, paused: null }]);
});

test.each([["its report", true], ["no report", false]])("a website that is unlocked with %s, but with credentials that are lost, is checked with new ones", async (_what, hasReport) => {
  const ada = await newMember(server);
  const run = await finishedRun(db, [found(SHOP, 3)], { owner: ada.id, at: Date.now() - 60_000 });
  await ada.post("/websites/shop.example", { every: "week", hour: "4", accessUser: "guest", accessPassword: "open sesame" });
  const unlock = { url: SHOP, check: hasReport ? run.id : "" };
  await db.updateTable("run").set({ deleted_at: 1 }).where("owner", "=", ada.id).where("id", "!=", hasReport ? run.id : "").execute();
  await db.updateTable("run").set({ scope: "page" }).where("owner", "=", ada.id).execute();
  await db.updateTable("schedule").set({ access: "1.of another key" }).where("owner", "=", ada.id).execute();
  const { status, location } = await ada.post("/setup/unlock", unlock);
  expect([status, location]).toEqual([303, `/runs/new?url=${encodeURIComponent(SHOP)}`]);
  const { text } = await ada.get(location ?? "");
  expect([text.includes("lassen sich nicht mehr lesen"), text.includes("Bericht ist freigeschaltet"), text.includes(`value="${SHOP}"`)]).toEqual([true, hasReport, true]);
});

test("a schedule whose runs are deleted is changed on its own page, with the settings that it has", async () => {
  const ada = await newMember(server);
  const run = await finishedRun(db, [found(`${SHOP}basket`, 3)], { owner: ada.id, scope: "page", waitMs: 700, at: Date.now() });
  await ada.post(`/run/${run.id}/schedule`, { every: "week", hour: "4" });
  await db.updateTable("run").set({ deleted_at: 1 }).where("id", "=", run.id).execute();
  const { id } = await db.selectFrom("schedule").select("id").where("owner", "=", ada.id).executeTakeFirstOrThrow();
  const path = `/runs/schedules/${id}`;
  expect((await ada.get("/runs/schedules")).text).toContain(`href="${path}"`);
  await db.updateTable("schedule").set({ paused: "access", access: "1.of another key" }).where("id", "=", id).execute();
  expect((await ada.get(path)).text).toMatch(/<details class="more" open[^]*name="accessUser"/);
  const wrong = await ada.post(path, { every: "day", hour: "4", accessUser: "guest" });
  expect([wrong.status, wrong.text.includes('href="#accessPassword"')]).toEqual([422, true]);
  expect((await ada.post(path, { every: "day", hour: "4", accessUser: "guest", accessPassword: "open sesame" })).location).toBe(path);
  const row = await db.selectFrom("schedule").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  expect(row).toMatchObject({ url: `${SHOP}basket`, scope: "page", wait_ms: 700, every: "day", paused: null });
  expect((await ada.post(path, { do: "end" })).location).toBe("/runs/schedules");
});
