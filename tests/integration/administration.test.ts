import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import type { Db } from "db/schema";
import { giveSecondFactor, newAdministrator, newMember, newPerson, newToken, signedIn, signIn, visitorOf, type Member } from "../support/accounts";
import { adminCommand } from "../support/run-admin";
import { codeOf, newTwoFactorMember } from "../support/second-factor";
import { freshLocation } from "../support/database";
import { startServer, type TestServer } from "../support/server";

let server: TestServer;
let db: Db;
let zoe: Member;

beforeAll(async () => {
  server = await startServer({ browser: false, env: { BILLING: "off", TRUST_PROXY: "1" } });
  db = await server.database();
  zoe = await newAdministrator(server);
});

afterAll(() => server.stop());

test("the start says a link that makes the first administrator, once", async () => {
  const dataDir = freshLocation().dataDir;
  const first = await startServer({ browser: false, dataDir, env: { BILLING: "off", TRUST_PROXY: "1" } });
  onTestFinished(async () => void (await first.stop()));
  const earlier = await linkSaidBy(first);
  await first.stop();
  const fresh = await startServer({ browser: false, dataDir, env: { BILLING: "off", TRUST_PROXY: "1" } });
  onTestFinished(async () => void (await fresh.stop()));
  const link = await linkSaidBy(fresh);
  const ada = visitorOf(fresh);
  for (const path of [earlier, "/admin/first", "/admin/first?token="]) expect((await ada.get(path)).status).toBe(404);
  expect((await ada.open(link)).words).toContain("Noch verwaltet niemand diese Installation");

  const person = newPerson();
  expect(await ada.post("/register", { ...person, returnTo: link })).toMatchObject({ status: 303, location: link });
  const token = new URL(link, fresh.origin).searchParams.get("token") ?? "";
  expect((await ada.open(link)).words).toContain(person.email);
  expect(await ada.post("/admin/first", { token })).toMatchObject({ status: 303, location: "/admin/people" });
  expect(await ada.get("/admin/people")).toMatchObject({ status: 303, location: "/account/second-factor" });
  expect((await ada.open("/account/second-factor")).words).toContain("Für die Verwaltung brauchen Sie die Zwei-Faktor-Anmeldung");

  const eve = await newMember(fresh);
  expect([(await eve.get(link)).status, (await eve.post("/admin/first", { token })).status, (await eve.get("/admin/people")).status]).toEqual([404, 404, 404]);
  await fresh.stop();
  const third = await startServer({ browser: false, dataDir, env: { BILLING: "off" } });
  onTestFinished(async () => void (await third.stop()));
  await third.logged(() => true).catch(() => undefined);
  expect(third.said()).toEqual([`Rampe is ready at ${third.origin}`]);
});

/** Path and query of the link in the second line. */
async function linkSaidBy(started: TestServer): Promise<string> {
  await expect.poll(() => started.said().length).toBe(2);
  const [ready, second = ""] = started.said();
  expect(ready).toBe(`Rampe is ready at ${started.origin}`);
  const [, link = ""] = new RegExp(`${started.origin}(/admin/first\\?token=[\\w-]{43}) `).exec(second) ?? [];
  expect(link).not.toBe("");
  return link;
}

test("a command makes an administrator of an account, and says if there is none", async () => {
  const ada = await newMember(server);
  expect((await ada.get("/admin/people")).status).toBe(404);
  expect(await adminCommand(server, "make-administrator", ada.person.email)).toMatchObject({ status: 0, out: expect.stringContaining("/admin") });
  await giveSecondFactor(db, ada.id);
  expect((await ada.get("/admin/people")).status).toBe(200);
  expect(await adminCommand(server, "make-administrator", "nobody@example.org")).toMatchObject({ status: 1, err: expect.stringContaining("No account") });
});

test("administrators have a link to the administration in the menu; others do not", async () => {
  const ada = await newMember(server);
  expect((await zoe.get("/setup")).text).toContain('href="/admin"');
  expect((await ada.get("/setup")).text).not.toContain("/admin");
  expect((await visitorOf(server).get("/")).text).not.toContain("/admin");
});

test("an administrator finds a person, and sees facts about the account", async () => {
  const ada = await newMember(server);
  const page = await zoe.open(`/admin/people?q=${encodeURIComponent(ada.person.email.toUpperCase())}`);
  expect(page.words).toContain("1 Konto");
  expect(page.text).toContain(`href="/admin/people/${ada.id}"`);
  const { words } = await zoe.open(`/admin/people/${ada.id}`);
  for (const fact of [ada.person.email, ada.person.name, "Adresse nicht bestätigt", "mit Passwort"]) expect(words).toContain(fact);
  expect((await zoe.get("/admin/people/nobody")).status).toBe(404);
});

test("after an hour, the administration asks to sign in again, and then goes on", async () => {
  const yan = await newTwoFactorMember(server);
  await db.updateTable("user").set({ administrator: 1 }).where("id", "=", yan.id).execute();
  await db.updateTable("session").set({ created_at: Date.now() - 61 * 60_000 }).where("user_id", "=", yan.id).execute();
  const form = await yan.open("/admin/people?q=a");
  expect(form.url.pathname).toBe("/login");
  expect(form.words).toContain("noch einmal an");
  const wrong = await yan.post(`/login${form.url.search}`, { email: yan.person.email, password: "wrong" });
  expect(wrong.status).toBe(422);
  const { location } = await signIn(yan, yan.person, "/admin/people?q=a");
  expect(location).toMatch(/^\/login\/second-factor/);
  const { url, status } = await yan.submit(location ?? "", { code: codeOf(yan.secret), returnTo: "/admin/people?q=a" });
  expect([url.pathname + url.search, status]).toEqual(["/admin/people?q=a", 200]);
  expect((await yan.get("/admin/people")).status).toBe(200);
});

test("a disabled account signs in nowhere, and its access token opens nothing", async () => {
  const ada = await newMember(server);
  const token = await newToken(ada, { "runs:read": "yes" });
  const program = visitorOf(server, { headers: { Authorization: `Bearer ${token}` } });
  expect((await program.get("/api/v1/runs")).status).toBe(200);
  await db.updateTable("user").set({ disabled_at: Date.now() }).where("id", "=", ada.id).execute();
  expect((await program.get("/api/v1/runs")).status).toBe(401);
  expect((await ada.get("/runs")).location).toBe("/login?returnTo=%2Fruns");

  const guest = visitorOf(server);
  const refused = await guest.submit("/login", { email: ada.person.email, password: ada.person.password });
  expect(refused.words).toContain("Dieses Konto ist gesperrt");
  expect((await guest.get("/runs")).status).toBe(303);
  const wrong = await visitorOf(server).submit("/login", { email: ada.person.email, password: "wrong" });
  expect(wrong.words).not.toContain("gesperrt");

  await db.updateTable("user").set({ disabled_at: null }).where("id", "=", ada.id).execute();
  expect((await (await signedIn(server, ada.person)).get("/runs")).status).toBe(200);
});
