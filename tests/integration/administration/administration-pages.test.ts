import { afterAll, beforeAll, expect, test } from "vitest";
import type { Db } from "db/schema";
import { startReleases, type ReleasesDouble } from "../../doubles/releases";
import { newAdministrator, newMember, type Member } from "../../support/accounts/accounts";
import { adminCommand, runAdmin } from "../../support/servers/run-admin";
import { scansInEveryState } from "../../support/accounts/administration";
import { startServer, type TestServer } from "../../support/servers/server";

let server: TestServer;
let releases: ReleasesDouble;
let db: Db;
let zoe: Member;
let ada: Member;

beforeAll(async () => {
  releases = await startReleases();
  server = await startServer({ browser: false, env: { RELEASES_URL: releases.url, BILLING: "off", TRUST_PROXY: "1", SMTP_URL: "smtp://somebody:smtp-password@127.0.0.1:1" } });
  db = await server.database();
  [zoe, ada] = await Promise.all([newAdministrator(server), newMember(server)]);
});

afterAll(async () => {
  await server.stop();
  await releases.close();
});

const actions = async () => (await db.selectFrom("audit_entry").select("action").where("actor", "=", zoe.person.email).orderBy("at").execute()).map(({ action }) => action);

test("administrators see all scans, cancel and delete them, and each step is logged", async () => {
  const { running, waiting, failed } = await scansInEveryState(db, ada.id);
  const { words } = await zoe.open("/admin/queue");
  for (const shown of ["https://shop.example/", ada.person.email, "https://visit.example/", "Besuch ohne Konto", "Laufende Prüfungen 1", "Wartende Prüfungen 1", "ohne Ergebnis in den letzten 24 Stunden 1"]) {
    expect(words).toContain(shown);
  }
  expect(words).toMatch(/Version Rampe \d+\.\d+/);
  expect(words).not.toContain("https://gone.example/");
  expect(words).toContain("Browser für die Prüfungen gestört");
  expect((await zoe.open("/admin/queue?state=failed")).words).toContain("kein Server unter diesem Namen");
  expect((await zoe.open("/admin/queue?q=shop")).words).not.toContain("https://visit.example/");

  const asked = await zoe.open(`/admin/queue/change?what=cancel&run=${running}&run=${waiting}&run=${failed}`);
  expect(asked.words).toContain("Diese 2 Prüfungen abbrechen?");
  const canceled = await zoe.submit("/admin/queue/change", new URLSearchParams([["what", "cancel"], ["run", running], ["run", waiting]]));
  expect(canceled.words).toContain("2 Prüfungen sind abgebrochen");
  expect((await ada.open(`/run/${running}`)).words).toContain("abgebrochen");

  expect((await zoe.open(`/admin/queue/change?what=delete&run=${failed}`)).words).toContain("endgültig löschen?");
  expect((await zoe.submit("/admin/queue/change", { what: "delete", run: failed })).words).toContain("1 Prüfung ist endgültig gelöscht");
  expect((await zoe.submit("/admin/queue/change", { what: "delete", run: failed })).words).toContain("nichts mehr zu tun");
  expect((await ada.get(`/run/${failed}`)).status).toBe(404);
  expect((await ada.open("/runs")).words).not.toContain("rückgängig");
  expect(await actions()).toEqual(["run_canceled", "run_canceled", "run_deleted"]);
});

test("lines, links and buttons stay apart without style sheets, as in a text browser", async () => {
  const { waiting } = await scansInEveryState(db, ada.id);
  await zoe.post("/admin/invitations", { email: "invited@example.org", locale: "de" });
  const without = async (path: string) => {
    const [main = ""] = /<main[\s\S]*<\/main>/.exec((await zoe.open(path)).text) ?? [];
    expect(main, path).toContain("</h1>");
    return main.replace(/<!--.*?-->|<\/?(?:a|b|button|code|span|strong|time)\b[^>]*>/g, "");
  };
  expect(await without(`/admin/people?q=${ada.person.email}`)).not.toMatch(/SuchenAlle|example\.orgAda/);
  expect(await without("/admin/queue?state=all")).not.toMatch(/FilternFilter|\/Einzelne|geprüftkein/);
  expect(await without("/admin/audit-log?q=ada")).not.toMatch(/FilternFilter/);
  expect(await without("/admin/invitations")).not.toMatch(/orgDeutsch|\dvon |orgZurücknehmen/);
  expect(await without("/admin/mails")).not.toMatch(/org(Bitte|Einladung)|\wgeschrieben/);
  await zoe.post("/admin/queue/change", { what: "cancel", run: waiting });
});

test("a search that finds nobody says so, and the title of a person's page says who it is", async () => {
  expect((await zoe.open("/admin/people?q=nobody-here")).words).toContain("Kein Konto passt zu dieser Suche.");
  expect((await zoe.open(`/admin/people/${ada.id}`)).text).toContain(`<title>${ada.person.email}, Person – Rampe</title>`);
});

test("without a selection, the question names what to do", async () => {
  expect((await zoe.open("/admin/queue/change?what=delete")).words).toContain("Keine Prüfung ausgewählt");
  for (const query of ["?what=restore", "?what=cancel&run=none"]) expect((await zoe.get(`/admin/queue/change${query}`)).status).toBe(404);
});

test("administrators read messages of the contact form, answer them by mail, and delete them", async () => {
  await ada.submit("/contact", { email: "bea+shop@example.org", subject: "Prüfung & Preis", message: "Guten Tag,\nwas kostet das?" });
  const page = await zoe.open("/admin/messages");
  for (const shown of ["Prüfung & Preis", "bea+shop@example.org", "was kostet das?", "Deutsch", "Weder CONTACT_TO", "nach 180 Tagen gelöscht"]) expect(page.words).toContain(shown);
  expect(page.text).toContain('href="mailto:bea%2Bshop@example.org?subject=Re%3A%20Pr%C3%BCfung%20%26%20Preis"');
  const { id } = await db.selectFrom("message").select("id").executeTakeFirstOrThrow();
  expect((await zoe.open(`/admin/messages/delete?message=${id}`)).words).toContain("Diese Nachricht löschen?");
  expect(page.text).toContain("Guten Tag,<br/>was kostet das?");
  expect((await zoe.submit("/admin/messages/delete", { message: id })).words).toContain("Die Nachricht ist gelöscht");
  expect((await zoe.submit("/admin/messages/delete", { message: id })).words).toContain("nichts mehr zu tun");
  expect((await actions()).filter((action) => action === "message_deleted")).toHaveLength(1);
});

test("administrators see mails that are not sent, without their text, and send them again or delete them", async () => {
  const eve = await newMember(server);
  const { id } = await db.selectFrom("mail").select("id").orderBy("created_at", "desc").executeTakeFirstOrThrow();
  await expect.poll(() => db.selectFrom("mail").select("error").where("id", "=", id).executeTakeFirst()).not.toEqual({ error: null });
  await db.updateTable("mail").set({ given_up_at: Date.now(), error: "550 no such mailbox" }).where("id", "=", id).execute();
  const page = await zoe.open("/admin/mails");
  for (const shown of [eve.person.email, "keiner, aufgegeben", "550 no such mailbox"]) expect(page.words).toContain(shown);
  expect(page.text).not.toMatch(/token=|smtp-password/);
  expect((await zoe.submit("/admin/mails", { mail: id })).words).toContain("jetzt noch einmal verschickt");
  await expect.poll(() => db.selectFrom("mail").select(["attempts", "given_up_at"]).where("id", "=", id).executeTakeFirst()).toMatchObject({ attempts: 1, given_up_at: null });
  expect((await zoe.open(`/admin/mails/delete?mail=${id}`)).words).toContain(eve.person.email);
  expect((await zoe.submit("/admin/mails/delete", { mail: id })).words).toContain("Die E-Mail ist gelöscht");
  expect((await zoe.submit("/admin/mails", { mail: id })).words).toContain("nichts mehr zu tun");
  expect((await zoe.open("/admin/mails")).words).not.toContain(eve.person.email);
  expect((await actions()).filter((action) => action.startsWith("mail_"))).toEqual(["mail_resent", "mail_deleted"]);
});

test("administrators see all settings and where they come from, and no secret", async () => {
  const page = await zoe.open("/admin/settings");
  for (const shown of ["BILLING off Umgebung", "gesetzte Einstellungen", "Voreinstellungen", "RETENTION_DAYS 365 Voreinstellung", "SESSION_SECRET gesetzt beim ersten Start erzeugt", "smtp://somebody:***@127.0.0.1:1", "starten Sie ihn neu"]) {
    expect(page.words).toContain(shown);
  }
  expect(page.text).not.toContain("smtp-password");
});

test("administrators see that there is a newer version, and so do the log and the command line", async () => {
  await server.logged(({ msg, version }) => msg === "a newer version is available" && version === "9.0.0");
  const page = await zoe.open("/admin/settings");
  expect(page.words).toContain("Hier läuft Version 0.1.0. Eine neuere ist verfügbar: Version 9.0.0");
  expect(page.text).toContain('href="https://example.org/rampe-9.0.0" rel="noreferrer"');
  const { out } = await runAdmin(["settings"], { RELEASES_URL: releases.url });
  expect(out).toMatch(/^version +ok \(0\.1\.0; a newer version is available: 9\.0\.0, https:\/\/example\.org\/rampe-9\.0\.0\)$/m);
  expect(await (await fetch(`${server.origin}/healthz`)).json()).toMatchObject({ version: "0.1.0" });
});

test("the audit log says who did what to whom, is filtered by person and kind, and is exported without formulas", async () => {
  const at = Date.now();
  const entry = { at, actor_id: zoe.id, actor: zoe.person.email, subject_id: null, subject: "=cmd@example.org", details: "{}" };
  await db.insertInto("audit_entry").values([
    { ...entry, id: "one", action: "administrator_removed" },
    { ...entry, id: "two", action: "administrator_made", actor_id: null, actor: "the command line" },
  ]).execute();
  const { words } = await zoe.open("/admin/audit-log");
  for (const shown of [zoe.person.email, "Verwaltungsrechte erteilt", "Befehl auf dem Server", "nach 180 Tagen gelöscht"]) expect(words).toContain(shown);
  expect((await zoe.open("/admin/audit-log?q=CMD&action=administrator_made")).words).toContain("1 Eintrag");
  expect((await zoe.open("/admin/audit-log?action=audit_exported")).words).toContain("Kein Eintrag passt");
  expect((await zoe.open("/admin/audit-log?q=nobody@")).words).toContain("Kein Eintrag passt");

  const file = await zoe.get("/admin/audit-log.csv?q=cmd&action=administrator_made");
  expect(file.headers.get("content-type")).toContain("text/csv");
  expect(file.headers.get("cache-control")).toContain("no-store");
  expect(file.text.replace("\uFEFF", "")).toBe(
    `Wann;Wer;Was;Wen betrifft es;Näheres\r\n${new Date(at).toISOString()};Befehl auf dem Server;Verwaltungsrechte erteilt;'=cmd@example.org;\r\n`,
  );
  const exported = (await zoe.open("/admin/audit-log?action=audit_exported")).words;
  expect(exported).toContain("1 Eintrag");
  expect(exported).toContain("Protokoll heruntergeladen");
});

test("commands on the server list scans, mails, settings and the audit log, and cancel a scan", async () => {
  const said = async (...args: string[]) => (await adminCommand(server, ...args)).out;
  const { waiting, failed } = await scansInEveryState(db, ada.id);
  const { person } = await newMember(server);
  const list = await said("queue");
  expect(list).toMatch(/^\d+ running, 1 waiting, \d+ failed within 24 hours$/m);
  expect(list).toMatch(new RegExp(`^${waiting} +queued .* a visitor +https://visit\\.example/$`, "m"));
  expect(await said("queue", "failed")).toMatch(new RegExp(`^${failed} +failed \\(dns\\) .* ${ada.person.email} +https://gone\\.example/$`, "m"));
  expect(await adminCommand(server, "cancel", waiting)).toMatchObject({ status: 0, out: `The scan ${waiting} is canceled.\n` });
  expect(await adminCommand(server, "cancel", waiting)).toMatchObject({ status: 1, err: expect.stringContaining("No scan") });
  expect(await said("mails")).toMatch(new RegExp(`^\\S+ +${person.email} .* \\d+ `, "m"));
  expect(await said("mails")).not.toContain("token=");
  expect(await said("settings")).toMatch(/^RETENTION_DAYS +365 +default$/m);
  expect(await said("audit-log", "command line")).toMatch(new RegExp(`run_canceled .*scan: ${waiting.slice(0, 8)}, website: https://visit\\.example$`, "m"));
});
