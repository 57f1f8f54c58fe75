import { afterAll, beforeAll, expect, test } from "vitest";
import type { Db } from "db/schema";
import { newAdministrator, newMember, type Member } from "../support/accounts";
import { scansInEveryState } from "../support/administration";
import { startServer, type TestServer } from "../support/server";

let server: TestServer;
let db: Db;
let zoe: Member;
let ada: Member;

beforeAll(async () => {
  server = await startServer({ browser: false, env: { BILLING: "off", TRUST_PROXY: "1" } });
  db = await server.database();
  [zoe, ada] = await Promise.all([newAdministrator(server), newMember(server)]);
});

afterAll(() => server.stop());

const actions = async () => (await db.selectFrom("audit_entry").select("action").where("actor", "=", zoe.person.email).orderBy("at").execute()).map(({ action }) => action);

test("administrators see all scans, cancel and delete them, and each step is logged", async () => {
  const { running, waiting, failed } = await scansInEveryState(db, ada.id);
  const { words } = await zoe.open("/admin/queue");
  for (const shown of ["https://shop.example/", ada.person.email, "https://visit.example/", "Besuch ohne Konto", "Laufende Prüfungen 1", "Wartende Prüfungen 1", "gescheitert 1", "Rampe"]) {
    expect(words).toContain(shown);
  }
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

test("without a selection, the question names what to do", async () => {
  expect((await zoe.open("/admin/queue/change?what=delete")).words).toContain("Keine Prüfung ausgewählt");
  for (const query of ["?what=restore", "?what=cancel&run=none"]) expect((await zoe.get(`/admin/queue/change${query}`)).status).toBe(404);
});
