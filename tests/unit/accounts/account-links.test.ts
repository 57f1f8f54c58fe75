import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createPasswords } from "~/accounts/passwords/passwords.server";
import { createSecretBox } from "~/platform/crypto/secret-box.server";
import { createAccounts } from "~/accounts/account.server";
import { createApiTokens } from "~/api/token.server";
import { createMails } from "~/mail/outbox.server";
import { createSessions } from "~/accounts/session.server";
import { createShares } from "~/reports/share/share.server";
import { createUsers, type User } from "~/accounts/user.server";
import { subscribe } from "../../support/billing/bought";
import { freshDatabase } from "../../support/database/database";
import { finishedRun } from "../../support/database/finished-runs";
import { checkedPage } from "../../support/database/page-results";

const HOUR_MS = 3_600_000;
const PASSWORD = "vier warme Brötchen";
const NEXT = "acht kalte Semmeln";

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

async function installation() {
  const db = await freshDatabase();
  const box = createSecretBox(["a secret"]);
  const mails = createMails({ db, box });
  const accounts = createAccounts({
    db,
    passwords: createPasswords({ cost: { N: 16, r: 1, p: 1 } }),
    mails,
    runs: { cancelAllOf: async () => [] },
    write: (kind, _locale, values) => ({ subject: kind, text: values.link ?? "" }),
    baseUrl: "https://rampe.example",
  });
  const users = createUsers({ db });

  /** Tokens of the links in the outbox, by the purpose of the mail. */
  async function links(): Promise<Record<string, string>> {
    const found: Record<string, string> = {};
    for (let mail = await mails.take(); mail; mail = await mails.take()) {
      await mails.sent(mail.id);
      found[mail.subject] = URL.canParse(mail.text) ? (new URL(mail.text).searchParams.get("token") ?? "") : "";
    }
    return found;
  }

  async function person(email: string): Promise<{ user: User; token: string }> {
    await accounts.register({ email, name: "Somebody", password: PASSWORD, locale: "de" });
    const user = await accounts.signIn(email, PASSWORD);
    if (!user) throw new Error(`${email} could not register`);
    return { user, token: (await links()).verify ?? "" };
  }

  async function resetLink(email: string): Promise<string> {
    await accounts.requestPasswordReset(email, "de");
    return (await links()).reset_password ?? "";
  }

  async function changeLink(user: User, email: string): Promise<string> {
    await accounts.requestEmail(user, email, PASSWORD, async () => true);
    return (await links()).change_email ?? "";
  }

  const isVerified = async ({ id }: User) => (await users.find(id))?.emailVerified;
  return { db, mails, accounts, users, sessions: createSessions({ db, box, days: 30 }), links, person, resetLink, changeLink, isVerified };
}

test("a link confirms an address once", async () => {
  const { accounts, person, isVerified } = await installation();
  const { user, token } = await person("anna@example.org");
  expect(await accounts.verify(user.id, token)).toBe("verified");
  expect(await isVerified(user)).toBe(true);
  expect(await accounts.verify(user.id, token)).toBeNull();
});

test("using one of several links for the same purpose invalidates the others", async () => {
  const { accounts, person, links } = await installation();
  const { user, token } = await person("anna@example.org");
  await accounts.sendVerification(user);
  const second = (await links()).verify ?? "";
  expect(second).not.toBe(token);
  expect(await accounts.verify(user.id, token)).toBe("verified");
  expect(await accounts.verify(user.id, second)).toBeNull();
});

test("another account's link confirms nothing, and stays valid for its own account", async () => {
  const { accounts, person, isVerified } = await installation();
  const anna = await person("anna@example.org");
  const ben = await person("ben@example.org");
  expect(await accounts.verify(ben.user.id, anna.token)).toBeNull();
  expect(await isVerified(ben.user)).toBe(false);
  expect(await isVerified(anna.user)).toBe(false);
  expect(await accounts.verify(anna.user.id, anna.token)).toBe("verified");
});

test("a link cannot give its address to another account", async () => {
  const { accounts, users, person, changeLink } = await installation();
  const anna = await person("anna@example.org");
  const ben = await person("ben@example.org");
  const change = await changeLink(anna.user, "new@example.org");
  expect(await accounts.verify(ben.user.id, change)).toBeNull();
  expect(await users.find(ben.user.id)).toMatchObject({ email: "ben@example.org" });
  expect(await accounts.verify(anna.user.id, change)).toBe("changed");
});

test("a link works for its own purpose only", async () => {
  const { accounts, person, resetLink, isVerified } = await installation();
  const { user, token } = await person("anna@example.org");
  const reset = await resetLink("anna@example.org");
  expect(await accounts.ownerOfReset(token)).toBeNull();
  expect(await accounts.resetPassword(token, NEXT)).toBeNull();
  expect(await accounts.verify(user.id, reset)).toBeNull();
  expect(await isVerified(user)).toBe(false);
  expect(await accounts.ownerOfReset(reset)).not.toBeNull();
});

test.each(["", "nonsense", "%00", "a".repeat(43)])("%j is not a valid link", async (token) => {
  const { accounts, person } = await installation();
  const { user } = await person("anna@example.org");
  expect(await accounts.ownerOfReset(token)).toBeNull();
  expect(await accounts.resetPassword(token, NEXT)).toBeNull();
  expect(await accounts.verify(user.id, token)).toBeNull();
});

test("links expire: a week to confirm an address, a day to change it, an hour for a password", async () => {
  const { db, accounts, person, resetLink, changeLink } = await installation();
  const { user, token } = await person("anna@example.org");
  const begin = Date.now();
  const reset = await resetLink("anna@example.org");
  const change = await changeLink(user, "new@example.org");

  vi.setSystemTime(begin + HOUR_MS - 1);
  expect(await accounts.ownerOfReset(reset)).not.toBeNull();
  vi.setSystemTime(begin + HOUR_MS);
  expect(await accounts.ownerOfReset(reset)).toBeNull();
  expect(await accounts.resetPassword(reset, NEXT)).toBeNull();

  vi.setSystemTime(begin + 24 * HOUR_MS);
  expect(await accounts.verify(user.id, change)).toBeNull();
  vi.setSystemTime(begin + 7 * 24 * HOUR_MS);
  expect(await accounts.verify(user.id, token)).toBeNull();

  await accounts.deleteExpiredLinks();
  expect(await db.selectFrom("account_link").selectAll().execute()).toEqual([]);
});

test("links that have not expired are not deleted", async () => {
  const { accounts, person } = await installation();
  const { user, token } = await person("anna@example.org");
  await accounts.deleteExpiredLinks(Date.now() + 6 * 24 * HOUR_MS);
  expect(await accounts.verify(user.id, token)).toBe("verified");
});

test.each([
  ["confirmed", 1, "password_reset"],
  ["not confirmed", 0, "password_reset_unconfirmed"],
])("a reset ends all tokens; shared links and schedules stay where the address was confirmed, and the mail says so: %s", async (_state, kept, mail) => {
  const { db, accounts, person, resetLink, links } = await installation();
  const { user, token } = await person("anna@example.org");
  const { user: other } = await person("ben@example.org");
  if (kept) await accounts.verify(user.id, token);
  const tokens = createApiTokens({ db });
  const make = (id: string) => tokens.create(id, { name: "Deploy", scopes: ["runs:read"], days: null });
  const [own, foreign] = [await make(user.id), await make(other.id)];
  const run = await finishedRun(db, [checkedPage()], { owner: user.id });
  await createShares({ db }).create(user.id, run.id, 30);
  const at = Date.now();
  const schedule = { id: "s", owner: user.id, url: run.url, scope: "page", level: "AA", every: "week", anchor_at: at, next_run_at: at, mails: 1, created_at: at } as const;
  await db.insertInto("schedule").values(schedule).execute();
  await accounts.resetPassword(await resetLink("anna@example.org"), NEXT);

  expect(await tokens.holderOf(own ?? "")).toBeNull();
  expect(await tokens.holderOf(foreign ?? "")).not.toBeNull();
  expect(await db.selectFrom("share").select("id").execute()).toHaveLength(kept);
  expect(await db.selectFrom("schedule").select("id").execute()).toHaveLength(kept);
  expect(await db.selectFrom("run").select("id").execute()).toHaveLength(1);
  expect(Object.keys(await links())).toEqual([mail]);
});

test("a reset works once, ends all sessions, confirms the address, and informs the owner", async () => {
  const { accounts, sessions, person, resetLink, links, isVerified } = await installation();
  const { user } = await person("anna@example.org");
  const other = await person("ben@example.org");
  const ids = [await sessions.begin({ userId: user.id }), await sessions.begin({ userId: user.id })];
  const others = await sessions.begin({ userId: other.user.id });
  const token = await resetLink("anna@example.org");
  expect(await accounts.resetPassword(token, NEXT)).toMatchObject({ id: user.id, emailVerified: true });

  for (const id of ids) expect(await sessions.find(id)).toBeUndefined();
  expect(await sessions.find(others)).toBeDefined();
  expect(await isVerified(user)).toBe(true);
  expect(Object.keys(await links())).toEqual(["password_reset_unconfirmed"]);
  expect(await accounts.signIn("anna@example.org", PASSWORD)).toBeUndefined();

  expect(await accounts.resetPassword(token, "something else again")).toBeNull();
  expect(await accounts.signIn("anna@example.org", NEXT)).toMatchObject({ id: user.id });
});

test("if one link is used twice at the same time, only one request sets the password", async () => {
  const { accounts, person, resetLink } = await installation();
  await person("anna@example.org");
  const token = await resetLink("anna@example.org");
  const [first, second] = await Promise.all([accounts.resetPassword(token, NEXT), accounts.resetPassword(token, PASSWORD)]);
  expect([first, second].filter(Boolean)).toHaveLength(1);
  expect(await accounts.signIn("anna@example.org", first ? NEXT : PASSWORD)).toBeDefined();
  expect(await accounts.signIn("anna@example.org", first ? PASSWORD : NEXT)).toBeUndefined();
});

test.each(["reset", "changed", "set by the operator"])("links in older mails become invalid when the password is %s", async (how) => {
  const { accounts, person, resetLink, changeLink } = await installation();
  const { user, token } = await person("anna@example.org");
  const reset = await resetLink("anna@example.org");
  const change = await changeLink(user, "new@example.org");

  if (how === "reset") await accounts.resetPassword(await resetLink("anna@example.org"), NEXT);
  else if (how === "changed") await accounts.changePassword(user, PASSWORD, NEXT, "");
  else await accounts.resetByOperator("anna@example.org");

  expect(await accounts.resetPassword(reset, "the intruder's own one")).toBeNull();
  expect(await accounts.verify(user.id, change)).toBeNull();
  expect(await accounts.verify(user.id, token)).toBeNull();
});

test("an address changes only when its link is opened; the old address is informed each time", async () => {
  const { accounts, users, mails, person } = await installation();
  const { user } = await person("anna@example.org");
  await accounts.requestEmail(user, "new@example.org", PASSWORD, async () => true);
  expect(await users.find(user.id)).toMatchObject({ email: "anna@example.org" });
  const letters = [await mails.take(), await mails.take()];
  const toNew = letters.find((mail) => mail?.to === "new@example.org");
  expect(letters.find((mail) => mail?.to === "anna@example.org")).toMatchObject({ subject: "email_change_requested" });

  const token = new URL(toNew?.text ?? "").searchParams.get("token") ?? "";
  expect(await accounts.verify(user.id, token)).toBe("changed");
  expect(await users.find(user.id)).toMatchObject({ email: "new@example.org", emailVerified: true });
  expect(await mails.take()).toMatchObject({ to: "anna@example.org", subject: "email_changed" });
  expect(await accounts.signIn("anna@example.org", PASSWORD)).toBeUndefined();
  expect(await accounts.signIn("new@example.org", PASSWORD)).toMatchObject({ id: user.id });
});

test("links to the old address are invalid after the change", async () => {
  const { accounts, person, resetLink, changeLink } = await installation();
  const { user, token } = await person("anna@example.org");
  const reset = await resetLink("anna@example.org");
  const change = await changeLink(user, "new@example.org");
  expect(await accounts.verify(user.id, change)).toBe("changed");
  expect(await accounts.ownerOfReset(reset)).toBeNull();
  expect(await accounts.verify(user.id, token)).toBeNull();
  expect(await accounts.verify(user.id, change)).toBeNull();
});

test("only the last requested address can be confirmed", async () => {
  const { accounts, users, person, changeLink } = await installation();
  const { user } = await person("anna@example.org");
  const first = await changeLink(user, "first@example.org");
  const last = await changeLink(user, "last@example.org");
  expect(await accounts.verify(user.id, first)).toBeNull();
  expect(await accounts.verify(user.id, last)).toBe("changed");
  expect(await users.find(user.id)).toMatchObject({ email: "last@example.org" });
});

test("an address that another account has meanwhile confirmed is not taken from it", async () => {
  const { accounts, users, person, changeLink } = await installation();
  const { user } = await person("anna@example.org");
  const change = await changeLink(user, "wanted@example.org");
  const other = await person("WANTED@example.org");
  expect(await accounts.verify(user.id, change)).toBe("taken");
  expect(await users.find(user.id)).toMatchObject({ email: "anna@example.org" });
  expect(await users.find(other.user.id)).toMatchObject({ email: "WANTED@example.org" });
});

test("one's own address can be changed to other upper and lower case", async () => {
  const { accounts, users, person, changeLink } = await installation();
  const { user } = await person("anna@example.org");
  expect(await accounts.verify(user.id, await changeLink(user, "Anna@example.org"))).toBe("changed");
  expect(await users.find(user.id)).toMatchObject({ email: "Anna@example.org" });
});

test("an unconfirmed account that holds nothing and is not in use is deleted after 30 days although somebody signed in, and no other", async () => {
  const { db, accounts, users, sessions, person } = await installation();
  const later = Date.now() + 30 * 24 * HOUR_MS;
  const idOf = async (name: string) => (await person(`${name}@example.org`)).user.id;
  const [unused, used, late] = [await idOf("unused"), await idOf("used"), await idOf("late")];
  const [confirmed, runner, buyer, orderer, administrator] = [await idOf("confirmed"), await idOf("runner"), await idOf("buyer"), await idOf("orderer"), await idOf("administrator")];
  const [present, judge] = [await idOf("present"), await idOf("judge")];
  await sessions.begin({ userId: present });
  const verdict = { scope: "site", address: "https://a.example", criterion: "1.1.1", verdict: "fulfilled", note: null, answered_at: 0 } as const;
  await db.insertInto("criterion_review").values({ ...verdict, owner: judge, answered_by: judge }).execute();
  await users.noteSignIn(used);
  await db.updateTable("user").set({ email_verified: 1 }).where("id", "=", confirmed).execute();
  await db.updateTable("user").set({ administrator: 1 }).where("id", "=", administrator).execute();
  await db.updateTable("user").set({ created_at: later }).where("id", "=", late).execute();
  await subscribe(db, { id: buyer });
  const order = { price_id: "price", url: null, check_id: null, run_id: null, checkout_id: null, mailed_at: null, fulfilled_at: null };
  await db.insertInto("checkout_order").values({ ...order, id: "recent", user_id: orderer, created_at: later }).execute();
  await db.insertInto("checkout_order").values({ ...order, id: "old", user_id: unused, created_at: 0 }).execute();
  const run = { id: "run", url: "https://a.example/", scope: "page", status: "queued", created_at: 0, expires_at: 0 } as const;
  const standard = { site: "a.example", standard_version: "2.2", standard_level: "AA" } as const;
  await db.insertInto("run").values({ ...run, ...standard, owner: runner }).execute();
  await users.recognise({ subject: "auth0|1", email: "hosted@example.org", emailVerified: false, name: "Hosted" }, "de");

  const left = async () => (await db.selectFrom("user").select("email").orderBy("email").execute()).map(({ email }) => email.split("@")[0]);
  await users.deleteUnclaimed(later - HOUR_MS);
  expect(await left()).toHaveLength(11);
  await users.deleteUnclaimed(later + HOUR_MS);
  expect(await left()).toEqual(["administrator", "buyer", "confirmed", "hosted", "judge", "late", "orderer", "present", "runner"]);
  expect(await accounts.signIn("used@example.org", PASSWORD)).toBeUndefined();
});
