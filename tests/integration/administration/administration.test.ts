import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { Db } from "db/schema";
import { textFile } from "~/platform/i18n/text-files.server";
import { partyOfUser } from "~/platform/limits/parties.server";
import { confirmAddress, giveSecondFactor, newAdministrator, newMember, newPerson, newToken, signedIn, signIn, visitorOf, type Member } from "../../support/accounts/accounts";
import { adminCommand } from "../../support/servers/run-admin";
import { codeOf, newTwoFactorMember } from "../../support/accounts/second-factor";
import { setCashier } from "../../support/billing/cashier-store";
import { finishedRun } from "../../support/database/finished-runs";
import { firstAdministratorLink } from "../../support/accounts/first-administrator";
import { freshLocation } from "../../support/database/database";
import { mailTo } from "../../support/servers/outbox";
import { checkedPage } from "../../support/database/page-results";
import { startServer, type TestServer } from "../../support/servers/server";

let server: TestServer;
let db: Db;
let zoe: Member;

beforeAll(async () => {
  server = await startServer({ browser: false, env: { BILLING: "off", TRUST_PROXY: "1" } });
  db = await server.database();
  zoe = await newAdministrator(server);
});

afterAll(() => server.stop());

const selectedPlan = ({ text }: { text: string }) => /<option[^>]*value="(\w+)"[^>]*selected|<option[^>]*selected[^>]*value="(\w+)"/.exec(text)?.slice(1).find(Boolean);

test("the start says a link that makes the first administrator, once", async () => {
  const dataDir = freshLocation().dataDir;
  const first = await startServer({ browser: false, dataDir, env: { BILLING: "off", TRUST_PROXY: "1" } });
  onTestFinished(async () => void (await first.stop()));
  const earlier = await firstAdministratorLink(first);
  expect(first.said()).toEqual([`Rampe is ready at ${first.origin}`, expect.stringMatching(/\/admin\/first\?token=[\w-]{43} /)]);
  await first.stop();
  const fresh = await startServer({ browser: false, dataDir, env: { BILLING: "off", TRUST_PROXY: "1" } });
  onTestFinished(async () => void (await fresh.stop()));
  const link = await firstAdministratorLink(fresh);
  const ada = visitorOf(fresh);
  for (const path of [earlier, "/admin/first", "/admin/first?token="]) expect((await ada.get(path)).status).toBe(404);
  expect((await ada.open(link)).words).toContain("Noch verwaltet niemand diese Installation");

  const person = newPerson();
  expect(await ada.post("/register", { ...person, returnTo: link })).toMatchObject({ status: 303, location: link });
  const token = new URL(link, fresh.origin).searchParams.get("token") ?? "";
  expect((await ada.open(link)).words).toContain(person.email);
  expect(await ada.post("/admin/first", { token })).toMatchObject({ status: 303, location: "/admin/people" });
  expect(await ada.post("/admin/first", { token }), "a second click").toMatchObject({ status: 303, location: "/admin/people" });
  expect(await ada.get("/admin/people")).toMatchObject({ status: 303, location: "/account/second-factor" });
  expect((await ada.open("/account/second-factor")).words).toContain("Für die Verwaltung brauchen Sie die Zwei-Faktor-Anmeldung");

  const eve = await newMember(fresh);
  expect([(await eve.get(link)).status, (await eve.post("/admin/first", { token })).status, (await eve.get("/admin/people")).status]).toEqual([404, 404, 404]);
  await fresh.stop();
  const third = await startServer({ browser: false, dataDir, env: { BILLING: "off" } });
  expect((await fetch(`${third.origin}/readyz`)).status).toBe(200);
  await third.stop();
  expect(third.said()).toEqual([`Rampe is ready at ${third.origin}`]);
});

test("a command makes an administrator of an account, and says if there is none", async () => {
  const ada = await newMember(server);
  expect((await ada.get("/admin/people")).status).toBe(404);
  expect(await adminCommand(server, "make-administrator", ada.person.email)).toMatchObject({ status: 1, err: expect.stringContaining("not confirmed") });
  await confirmAddress(ada, server);
  expect(await adminCommand(server, "make-administrator", ada.person.email)).toMatchObject({ err: "", status: 0, out: expect.stringContaining("/admin") });
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
  expect(await yan.post(location ?? "", { code: "000000", returnTo: "/admin/people?q=a" })).toMatchObject({ status: 422 });
  const { url, status } = await yan.submit(location ?? "", { code: codeOf(yan.secret, 1), returnTo: "/admin/people?q=a" });
  expect([url.pathname + url.search, status]).toEqual(["/admin/people?q=a", 200]);
  expect((await yan.get("/admin/people")).status).toBe(200);
});

const signedInAt = ({ id }: { id: string }, at: number) => db.updateTable("session").set({ created_at: at }).where("user_id", "=", id).execute();

test("limits that were typed come back after a new sign-in", async () => {
  const [yan, ada] = [await newAdministrator(server), await newMember(server)];
  const path = `/admin/people/${ada.id}`;
  await signedInAt(yan, Date.now() - 61 * 60_000);
  expect((await yan.submit(path, { do: "limit", waiting: "7", pages: "" })).url.pathname).toBe("/login");
  await signedInAt(yan, Date.now());
  const page = await yan.open(path);
  expect(page.words).toContain(textFile("de", "common").form.kept);
  expect(page.text).toMatch(/<input[^>]*name="waiting"[^>]*value="7"/);
  expect((await yan.open(path)).text).not.toMatch(/<input[^>]*name="waiting"[^>]*value="7"/);
});

test("after a new sign-in, a page that confirms a change shows the same, and says that nothing was done", async () => {
  const yan = await newAdministrator(server);
  await yan.submit("/contact", { email: "bea@example.org", subject: "Preis", message: "Was kostet das?" });
  const { id: message } = await db.selectFrom("message").select("id").executeTakeFirstOrThrow();
  await db.insertInto("mail").values({ id: "waits", sealed: "", created_at: Date.now(), run_at: Date.now() + 3_600_000 }).execute();
  const { id: run } = await finishedRun(db, [checkedPage({})], { owner: yan.id });
  for (const path of [`/admin/messages/delete?message=${message}`, "/admin/mails/delete?mail=waits", `/admin/queue/change?what=delete&run=${run}`]) {
    const [, action = ""] = /action="(\/admin\/[^"]+)"/.exec((await yan.open(path)).text) ?? [];
    await signedInAt(yan, Date.now() - 61 * 60_000);
    const login = await yan.submit(action.replaceAll("&amp;", "&"), { message, mail: "waits", what: "delete", run });
    expect(login.url.pathname).toBe("/login");
    await signedInAt(yan, Date.now());
    const again = await yan.open(login.url.searchParams.get("returnTo") ?? "");
    expect([again.status, again.url.pathname + again.url.search]).toEqual([200, path]);
    expect(again.words).toContain(textFile("de", "common").form.keptButton);
  }
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

describe("one person", () => {
  const submit = (person: Member, what: string) => zoe.post(`/admin/people/${person.id}`, { do: what });
  const logged = async (person: Member) => (await db.selectFrom("audit_entry").select(["action", "actor"]).where("subject_id", "=", person.id).orderBy("at").execute()).map(({ action }) => action);

  test("is confirmed, logged out, disabled and enabled by one button each, and the log has it", async () => {
    const ada = await newMember(server);
    expect((await zoe.open(`/admin/people/${ada.id}`)).words).toContain("Adresse bestätigen");
    expect(await submit(ada, "confirm")).toMatchObject({ status: 303, location: `/admin/people/${ada.id}` });
    const { words } = await zoe.open(`/admin/people/${ada.id}`);
    expect(words).toContain("Die Adresse gilt als bestätigt.");
    expect(words).toContain("Adresse bestätigt");

    expect((await submit(ada, "signOut")).status).toBe(303);
    expect((await ada.get("/runs")).location).toBe("/login?returnTo=%2Fruns");
    expect((await submit(ada, "disable")).status).toBe(303);
    expect((await visitorOf(server).submit("/login", { email: ada.person.email, password: ada.person.password })).words).toContain("Dieses Konto ist gesperrt");
    expect((await zoe.open(`/admin/people/${ada.id}`)).words).toContain("gesperrt");
    expect((await submit(ada, "enable")).status).toBe(303);
    await signedIn(server, ada.person);
    expect(await logged(ada)).toEqual(["address_confirmed", "signed_out", "account_disabled", "account_enabled"]);
  });

  test("gets a link for a new password by mail", async () => {
    const ada = await newMember(server);
    expect((await submit(ada, "mailReset")).status).toBe(303);
    const { token } = await mailTo(server.dataDir, ada.person.email, "reset_password");
    const answer = await visitorOf(server).post("/reset-password", { token, password: "ein ganz neues Passwort" });
    expect(answer.status).toBe(303);
    expect(await logged(ada)).toEqual(["password_link_sent"]);
  });

  test("becomes an administrator, and is one no longer; nobody disables their own account", async () => {
    const ada = await newMember(server);
    const unconfirmed = await submit(ada, "makeAdministrator");
    expect([unconfirmed.status, unconfirmed.text.includes("nicht bestätigt: Das Konto könnte jemand anderes")]).toEqual([422, true]);
    await confirmAddress(ada, server);
    expect((await submit(ada, "makeAdministrator")).status).toBe(303);
    await giveSecondFactor(db, ada.id);
    expect((await ada.get("/admin/people")).status).toBe(200);
    expect((await submit(ada, "takeAdministrator")).status).toBe(303);
    expect((await ada.get("/admin/people")).status).toBe(404);
    for (const what of ["disable", "nonsense"]) {
      const refused = await zoe.post(`/admin/people/${zoe.id}`, { do: what });
      expect([refused.status, refused.text.includes("Das geht nicht")]).toEqual([422, true]);
    }
    expect((await zoe.post("/admin/people/nobody", { do: "confirm" })).status).toBe(404);
  });

  test("is deleted after a confirmation, with a mail about it", async () => {
    const ada = await newMember(server);
    const path = `/admin/people/${ada.id}/delete`;
    expect((await zoe.open(path)).words).toContain(ada.person.email);
    const refused = await zoe.post(path, {});
    expect([refused.status, refused.text.includes('href="#confirmed"')]).toEqual([422, true]);
    expect(await zoe.post(path, { confirmed: "yes" })).toMatchObject({ status: 303, location: "/admin/people" });
    expect(await zoe.post(path, { confirmed: "yes" }), "a second click").toMatchObject({ status: 303, location: "/admin/people" });
    await mailTo(server.dataDir, ada.person.email, "account_deleted_by_operator");
    expect((await ada.get("/runs")).location).toBe("/login?returnTo=%2Fruns");
    expect((await zoe.get(path)).status).toBe(404);
    expect(await logged(ada)).toEqual(["account_deleted"]);
    const own = await zoe.post(`/admin/people/${zoe.id}/delete`, { confirmed: "yes" });
    expect([own.status, own.text.includes("in Ihrem Profil")]).toEqual([422, true]);
  });

  test("who is the last administrator keeps account and orders, and can hand over to another one", async () => {
    const shop = await startServer({ browser: false, env: { BILLING: "demo", TRUST_PROXY: "1" } });
    onTestFinished(async () => void (await shop.stop()));
    const shopDb = await shop.database();
    const [boss, ada] = [await newAdministrator(shop), await newMember(shop)];
    const order = { id: "order", user_id: boss.id, price_id: "price", url: null, check_id: null, run_id: null, checkout_id: null, mailed_at: null, fulfilled_at: null };
    await shopDb.insertInto("checkout_order").values({ ...order, created_at: Date.now() }).execute();
    // Every request gets 503.
    setCashier(shop, "down");
    const byOperator = await boss.post(`/admin/people/${boss.id}/delete`, { confirmed: "yes" });
    expect([byOperator.status, byOperator.text.includes("in Ihrem Profil")]).toEqual([422, true]);
    const own = await boss.post("/account/delete", { confirmed: "yes", currentPassword: boss.person.password });
    expect([own.status, own.text.includes("Außer Ihnen verwaltet niemand diese Installation")]).toEqual([422, true]);
    setCashier(shop, "up");
    await shopDb.updateTable("user").set({ administrator: 1 }).where("id", "=", ada.id).execute();
    const handedOver = await boss.submit(`/admin/people/${boss.id}`, { do: "takeAdministrator" });
    expect([handedOver.status, handedOver.url.pathname]).toEqual([200, "/"]);
    expect(handedOver.words).toContain("Sie verwalten diese Installation nicht mehr.");
  });

  test("gets limits of its own, which hold at once", async () => {
    const ada = await newMember(server);
    const path = `/admin/people/${ada.id}`;
    const refused = await zoe.post(path, { do: "limit", waiting: "some", pages: "5" });
    expect([refused.status, refused.text.includes('href="#waiting"'), refused.text.includes('value="some"')]).toEqual([422, true, true]);
    expect((await zoe.post(path, { do: "limit", waiting: "1", pages: "7" })).status).toBe(303);
    expect((await zoe.get(path)).text).toContain('value="7"');
    const scan = (host: string, more = {}) => ada.post("/runs/new", { url: `https://${host}.example.com/`, scope: "site", ...more });
    expect((await scan("a", { maxPages: "8" })).text).toContain("von 1 bis 7");
    const { id } = await finishedRun(db, [checkedPage({})], { owner: ada.id });
    const waiting = { queue: "site", payload: "{}", state: "queued", party: partyOfUser(ada.id), run_at: Date.now() + 3_600_000, created_at: Date.now() } as const;
    await db.insertInto("job").values({ id: `waits-${id}`, run_id: id, ...waiting }).execute();
    expect((await scan("b")).text).toContain("warten können (1)");
    expect((await zoe.post(path, { do: "limit", waiting: "", pages: "" })).status).toBe(303);
    expect((await scan("e")).status).toBe(303);
    expect(await logged(ada)).toEqual(["limits_set", "limits_set"]);
  });

  test("gets a plan without payment, until a day", async () => {
    const shop = await startServer({ browser: false, env: { BILLING: "demo", TRUST_PROXY: "1" } });
    onTestFinished(async () => void (await shop.stop()));
    const [boss, ada] = [await newAdministrator(shop), await newMember(shop)];
    const path = `/admin/people/${ada.id}`;
    expect((await ada.get("/runs/new")).location).toMatch(/^\/setup/);
    for (const until of ["", "tomorrow", "2020-01-01"]) {
      const refused = await boss.post(path, { do: "grant", plan: "pro", until });
      expect([refused.status, refused.text.includes('href="#until"')]).toEqual([422, true]);
    }
    expect((await boss.post(path, { do: "grant", plan: "pro", until: "31.12.2099" })).status).toBe(303);
    const granted = await boss.open(path);
    expect(granted.words).toContain("läuft bis 31. Dezember 2099");
    // A change of only the day keeps the plan.
    expect([granted.text.includes('value="31.12.2099"'), selectedPlan(granted)]).toEqual([true, "pro"]);
    expect((await boss.open("/admin/audit-log")).words).toContain("Tarif: Pro Letzter Tag: 31. Dezember 2099");
    expect((await ada.open("/profile/general")).words).toContain("vom Betreiber gewährt");
    expect((await ada.post("/runs/new", { url: "https://example.com/", scope: "site" })).status).toBe(303);
    expect((await boss.post(path, { do: "takePlan" })).status).toBe(303);
    expect((await ada.post("/runs/new", { url: "https://example.org/", scope: "site" })).location).toMatch(/^\/setup/);
    expect(await adminCommand(shop, "people", "grant-plan", ada.person.email, "basic", "2099-12-31")).toMatchObject({ err: "", status: 0 });
    expect((await ada.get("/runs/new")).status).toBe(200);
    expect(selectedPlan(await boss.open(path))).toBe("basic");
    const takeBack = () => adminCommand(shop, "people", "take-plan-back", ada.person.email);
    expect(await takeBack()).toMatchObject({ err: "", status: 0, out: expect.stringContaining("Done") });
    expect((await ada.get("/runs/new")).location).toMatch(/^\/setup/);
    expect(await takeBack()).toMatchObject({ err: "", status: 0, out: expect.stringContaining("Nothing to do") });
    const log = await adminCommand(shop, "audit-log", ada.person.email);
    expect(log.out).toMatch(/the command line +plan_taken_back/);
    expect(log.out.match(/plan_taken_back/g)).toHaveLength(2);
    // Without sales, there is nothing to grant.
    expect((await zoe.post(`/admin/people/${zoe.id}`, { do: "grant", plan: "pro", until: "2099-12-31" })).status).toBe(422);
  });

  test("gets limits by a command, which leaves alone what it does not name", async () => {
    const ada = await newMember(server);
    const limits = async (...words: string[]) => adminCommand(server, "people", "limits", ada.person.email, ...words);
    const stored = () => db.selectFrom("user").select(["most_waiting", "most_pages"]).where("id", "=", ada.id).executeTakeFirst();
    expect(await limits("pages=7", "waiting=2")).toMatchObject({ err: "", status: 0 });
    expect(await stored()).toEqual({ most_waiting: 2, most_pages: 7 });
    expect((await zoe.get(`/admin/people/${ada.id}`)).text).toContain('value="7"');
    expect(await limits("waiting=3")).toMatchObject({ err: "", status: 0 });
    expect(await stored()).toEqual({ most_waiting: 3, most_pages: 7 });
    const usage = /^Usage: .*\n {2}people limits EMAIL \[waiting=NUMBER\] \[pages=NUMBER\]\n/s;
    expect(await limits("pages=0")).toMatchObject({ status: 1, err: expect.stringMatching(usage) });
    expect(await stored()).toEqual({ most_waiting: 3, most_pages: 7 });
    expect(await limits("default")).toMatchObject({ err: "", status: 0 });
    expect(await stored()).toEqual({ most_waiting: null, most_pages: null });
    const entries = await db.selectFrom("audit_entry").select(["action", "actor"]).where("subject_id", "=", ada.id).execute();
    expect(entries).toEqual(Array(3).fill({ action: "limits_set", actor: "the command line" }));
  });

  test("the commands do the same", async () => {
    const ada = await newMember(server);
    const { email } = ada.person;
    const command = async (...args: string[]) => adminCommand(server, "people", ...args);
    expect(await command("confirm", email)).toMatchObject({ err: "", status: 0 });
    expect(await command("find", email.slice(0, 12))).toMatchObject({ err: "", status: 0, out: expect.stringMatching(new RegExp(`${email} +${ada.person.name} +confirmed\n`)) });
    expect(await command("disable", email)).toMatchObject({ status: 0 });
    expect((await ada.get("/runs")).status).toBe(303);
    expect(await command("enable", email)).toMatchObject({ status: 0 });
    expect(await adminCommand(server, "reset-password", email)).toMatchObject({ err: "", status: 0 });
    expect(await logged(ada)).toContain("password_reset");
    expect(await command("delete", email)).toMatchObject({ status: 0 });
    expect(await command("delete", email)).toMatchObject({ status: 1, err: expect.stringContaining("No account") });
    expect(await command("explode", email)).toMatchObject({ status: 1, err: expect.stringContaining("Usage") });
    const actors = await db.selectFrom("audit_entry").select("actor").where("subject_id", "=", ada.id).execute();
    expect(new Set(actors.map(({ actor }) => actor))).toEqual(new Set(["the command line"]));
  });
});
