import { expect, onTestFinished, test, vi } from "vitest";
import type { Db } from "db/schema";
import { createPasswords } from "~/accounts/passwords/passwords.server";
import { createSecretBox } from "~/platform/crypto/secret-box.server";
import { createAccounts } from "~/accounts/account.server";
import { createMails } from "~/mail/outbox.server";
import { createSessions } from "~/accounts/session.server";
import type { User } from "~/accounts/user.server";
import { createAdministrators } from "~/administration/administrators.server";
import { createDatabaseQueue } from "~/platform/jobs/database-queue.server";
import { createRuns } from "~/runs/run.server";
import { freshDatabase, freshLocation } from "../../support/database/database";
import { newDatabase, databaseBytes } from "../../support/database/server-database";

const ANNA = { email: "anna@example.org", name: "Anna", password: "vier warme Brötchen", locale: "de" } as const;
const UNKNOWN = "unknown@example.org";
const RUN = {
  id: "run",
  url: "https://shop.example/",
  site: "shop.example",
  scope: "page",
  standard_version: "2.2",
  standard_level: "AA",
  status: "succeeded",
  created_at: 0,
  expires_at: Number.MAX_SAFE_INTEGER,
} as const;

interface SentLetter {
  to: string;
  kind: string;
  locale: string;
  values: Record<string, string>;
}

async function installation(given?: Db) {
  const db = given ?? (await freshDatabase());
  const box = createSecretBox(["a secret"]);
  const mails = createMails({ db, box });
  const passwords = createPasswords({ cost: { N: 16, r: 1, p: 1 } });
  const sessions = createSessions({ db, box, days: 30 });
  const accounts = createAccounts({
    db,
    passwords,
    mails,
    runs: createRuns({ db, queues: { page: createDatabaseQueue({ db }), site: createDatabaseQueue({ db, name: "site" }) }, box, retentionDays: 365 }),
    write: (kind, locale, values) => ({ subject: `${kind} ${locale}`, text: JSON.stringify(values) }),
    baseUrl: "https://rampe.example",
  });

  /** Mails in the outbox since the last call. */
  async function posted(): Promise<SentLetter[]> {
    const letters: SentLetter[] = [];
    for (let mail = await mails.take(); mail; mail = await mails.take()) {
      await mails.sent(mail.id);
      const [kind = "", locale = ""] = mail.subject.split(" ");
      letters.push({ to: mail.to, kind, locale, values: JSON.parse(mail.text) as Record<string, string> });
    }
    return letters;
  }

  async function anna() {
    await accounts.register(ANNA);
    await posted();
    const user = await accounts.signIn(ANNA.email, ANNA.password);
    if (!user) throw new Error("nobody has registered");
    return user;
  }

  return { db, mails, passwords, sessions, accounts, posted, anna };
}

const tokenIn = (letter?: SentLetter) => new URL(letter?.values.link ?? "").searchParams.get("token") ?? "";

test("a new user can sign in, and is asked to confirm the address", async () => {
  const { accounts, posted } = await installation();
  await accounts.register(ANNA);
  expect(await accounts.signIn("Anna@Example.org", ANNA.password)).toMatchObject({
    email: ANNA.email,
    name: "Anna",
    locale: "de",
    emailVerified: false,
    subject: null,
  });
  const [letter, ...others] = await posted();
  expect(letter).toMatchObject({ to: ANNA.email, kind: "verify", locale: "de" });
  expect(letter?.values.link).toMatch(/^https:\/\/rampe\.example\/account\/verify\?token=[\w-]{43}$/);
  expect(others).toEqual([]);
});

test("registering with a known address signs in with the right password; otherwise its owner gets a mail", async () => {
  const { db, accounts, posted } = await installation();
  expect(await accounts.register(ANNA)).toMatchObject({ isNew: true, user: { email: ANNA.email } });
  expect(await posted()).toHaveLength(1);

  const again = { ...ANNA, email: "ANNA@example.org", name: "Eve" };
  expect(await accounts.register(again)).toMatchObject({ isNew: false, user: { email: ANNA.email, name: "Anna" } });
  expect(await posted()).toEqual([]);
  expect(await accounts.register({ ...again, password: "ein anderes Wort" })).toBeNull();
  expect(await posted()).toEqual([expect.objectContaining({ to: ANNA.email, kind: "already_registered" })]);
  expect(await accounts.register({ ...again, password: "ein anderes Wort" }, async () => false)).toBeNull();
  expect(await posted()).toEqual([]);
  expect(await db.selectFrom("user").select("email").execute()).toHaveLength(1);
});

test("registering an address again does not change its account", async () => {
  const { accounts } = await installation();
  await accounts.register(ANNA);
  await accounts.register({ ...ANNA, name: "Mallory", password: "ein anderes Wort", locale: "en" });
  expect(await accounts.signIn(ANNA.email, "ein anderes Wort")).toBeUndefined();
  expect(await accounts.signIn(ANNA.email, ANNA.password)).toMatchObject({ name: "Anna", locale: "de" });
});

test("a double click on registration makes one account and one mail", async () => {
  const { db, accounts, posted } = await installation();
  await Promise.all([accounts.register(ANNA), accounts.register(ANNA)]);
  expect(await db.selectFrom("user").select("email").execute()).toEqual([{ email: ANNA.email }]);
  expect((await posted()).map(({ kind }) => kind).sort()).toEqual(["verify"]);
});

test("signing in checks one password, with or without an account", async () => {
  const { accounts, passwords, anna } = await installation();
  await anna();
  const matches = vi.spyOn(passwords, "matches");
  expect(await accounts.signIn(ANNA.email, "not this one")).toBeUndefined();
  expect(matches).toHaveBeenCalledTimes(1);
  expect(await accounts.signIn(UNKNOWN, ANNA.password)).toBeUndefined();
  expect(matches).toHaveBeenCalledTimes(2);
  expect(matches).toHaveBeenLastCalledWith(ANNA.password, null);
});

test("a forgotten password takes as long for an unknown address, so that the answer reveals nothing", async () => {
  const { accounts, posted, passwords, anna } = await installation();
  await anna();
  const hash = vi.spyOn(passwords, "hash");
  expect(await accounts.requestPasswordReset("ANNA@example.org", "de")).toBeUndefined();
  expect(await posted()).toEqual([expect.objectContaining({ to: ANNA.email, kind: "reset_password" })]);
  expect(await accounts.requestPasswordReset(UNKNOWN, "de")).toBeUndefined();
  expect(await posted()).toEqual([expect.objectContaining({ to: UNKNOWN, kind: "no_account" })]);
  expect(hash).not.toHaveBeenCalled();
});

test("changing to an address that is in use looks and takes the same as to a free one", async () => {
  const { accounts, posted, passwords, anna } = await installation();
  const user = await anna();
  await accounts.register({ ...ANNA, email: "ben@example.org" });
  await posted();
  const matches = vi.spyOn(passwords, "matches");

  expect(await accounts.requestEmail(user, "free@example.org", ANNA.password, async () => true)).toBe(true);
  const forFree = await posted();
  expect(await accounts.requestEmail(user, "Ben@example.org", ANNA.password, async () => true)).toBe(true);
  const forTaken = await posted();

  expect(forFree.map(({ to, kind }) => `${kind} ${to}`).sort()).toEqual([
    "change_email free@example.org",
    "email_change_requested anna@example.org",
  ]);
  expect(forTaken.map(({ to, kind }) => `${kind} ${to}`).sort()).toEqual([
    "already_registered ben@example.org",
    "email_change_requested anna@example.org",
  ]);
  expect(matches).toHaveBeenCalledTimes(2);
});

test("an account of the hosted provider is separate from a local one with the same address", async () => {
  const { db, accounts, posted } = await installation();
  const facts = { email: ANNA.email, email_key: ANNA.email, name: "Anna", password: null, locale: "de" } as const;
  await db.insertInto("user").values({ id: "hosted", subject: "auth0|1", ...facts, created_at: 0 }).execute();
  expect(await accounts.signIn(ANNA.email, "")).toBeUndefined();
  await accounts.requestPasswordReset(ANNA.email, "de");
  expect(await posted()).toEqual([expect.objectContaining({ kind: "no_account" })]);
});

test.each([
  ["change the password", "changePassword"],
  ["change the address", "requestEmail"],
  ["delete the account", "remove"],
] as const)("a wrong password does not allow to %s, and no mail is sent", async (_what, method) => {
  const { accounts, posted, anna } = await installation();
  const user = await anna();
  const attempts = {
    changePassword: () => accounts.changePassword(user, "wrong", "a new and long one", ""),
    requestEmail: () => accounts.requestEmail(user, "new@example.org", "wrong", async () => true),
    remove: () => accounts.remove(user, "wrong"),
  };
  expect(await attempts[method]()).toBe(false);
  expect(await posted()).toEqual([]);
  expect(await accounts.signIn(ANNA.email, ANNA.password)).toMatchObject({ id: user.id });
});

test("a double click changes the password once, and neither click is refused", async () => {
  const { accounts, posted, anna } = await installation();
  const user = await anna();
  await posted();
  const change = () => accounts.changePassword(user, ANNA.password, "a new and long one", "");
  expect(await Promise.all([change(), change()])).toEqual([true, true]);
  expect(await posted()).toHaveLength(1);
});

test("a changed password ends all other sessions of the account, and the owner is informed", async () => {
  const { db, accounts, posted, sessions, anna } = await installation();
  const user = await anna();
  await accounts.register({ ...ANNA, email: "ben@example.org" });
  await posted();
  const ben = await accounts.signIn("ben@example.org", ANNA.password);
  const bens = await sessions.begin({ userId: ben?.id ?? "" });
  for (let count = 0; count < 3; count += 1) await sessions.begin({ userId: user.id });

  expect(await accounts.changePassword(user, ANNA.password, "a new and long one", "")).toBe(true);
  expect(await db.selectFrom("session").select("user_id").execute()).toEqual([{ user_id: ben?.id }]);
  expect(await sessions.find(bens)).toMatchObject({ user: { id: ben?.id } });
  expect(await accounts.signIn(ANNA.email, ANNA.password)).toBeUndefined();
  expect(await accounts.signIn(ANNA.email, "a new and long one")).toMatchObject({ id: user.id });
  expect(await posted()).toEqual([expect.objectContaining({ to: ANNA.email, kind: "password_changed" })]);
});

test("the operator's reset sets a working password, and signs out everywhere", async () => {
  const { accounts, sessions, anna } = await installation();
  const user = await anna();
  const session = await sessions.begin({ userId: user.id });
  const password = await accounts.resetByOperator(" ANNA@example.org ");
  expect(password).toMatch(/^([a-z2-9]{5}-){3}[a-z2-9]{5}$/);
  expect(await sessions.find(session)).toBeUndefined();
  expect(await accounts.signIn(ANNA.email, ANNA.password)).toBeUndefined();
  expect(await accounts.signIn(ANNA.email, password ?? "")).toMatchObject({ id: user.id });
  expect(await accounts.resetByOperator(UNKNOWN)).toBeNull();
});

test("the operator's reset is recorded, or not made", async () => {
  const { accounts, anna } = await installation();
  const user = await anna();
  const noted: string[] = [];
  await expect(accounts.resetByOperator(ANNA.email, () => Promise.reject(new Error("the disk is full")))).rejects.toThrow("full");
  expect(await accounts.signIn(ANNA.email, ANNA.password)).toMatchObject({ id: user.id });
  await accounts.resetByOperator(ANNA.email, async (_trx, { id }) => void noted.push(id));
  expect(noted).toEqual([user.id]);
});

test("a sign-in with the old password during a reset fails", async () => {
  const { accounts, passwords, anna } = await installation();
  await anna();
  const matches = passwords.matches.bind(passwords);
  vi.spyOn(passwords, "matches").mockImplementationOnce(async (...compared) => {
    const isRight = await matches(...compared);
    expect(await accounts.resetByOperator(ANNA.email)).not.toBeNull();
    return isRight;
  });
  expect(await accounts.signIn(ANNA.email, ANNA.password)).toBeUndefined();
});

test("a password change during a reset does not undo the reset", async () => {
  const { accounts, passwords, anna } = await installation();
  const user = await anna();
  const hash = passwords.hash.bind(passwords);
  let chosen: string | null = null;
  vi.spyOn(passwords, "hash").mockImplementationOnce(async (password) => {
    chosen = await accounts.resetByOperator(ANNA.email);
    return hash(password);
  });
  await accounts.changePassword(user, ANNA.password, "the intruder's own one", "");
  expect(await accounts.signIn(ANNA.email, "the intruder's own one")).toBeUndefined();
  expect(await accounts.signIn(ANNA.email, chosen ?? "")).toMatchObject({ id: user.id });
});

test("a deleted account loses its sessions and links, its runs are deleted next, and a mail is sent", async () => {
  const { db, accounts, posted, sessions, anna } = await installation();
  const user = await anna();
  const session = await sessions.begin({ userId: user.id });
  await accounts.requestPasswordReset(ANNA.email, "de");
  const token = tokenIn((await posted())[0]);
  await db.insertInto("run").values({ ...RUN, owner: user.id, status: "running", access: "sealed" }).execute();
  const job = { id: "job-1", queue: "scan", run_id: RUN.id, payload: "{}", state: "running", run_at: 0, leased_by: "worker", lease_until: 1, heartbeat_at: 0, created_at: 0 } as const;
  await db.insertInto("job").values(job).execute();

  expect(await accounts.remove(user, ANNA.password, undefined, async () => true), "barred").toBe(false);
  expect(await accounts.remove(user, ANNA.password)).toBe(true);
  expect(await sessions.find(session)).toBeUndefined();
  expect(await accounts.ownerOfReset(token)).toBeNull();
  expect(await accounts.signIn(ANNA.email, ANNA.password)).toBeUndefined();
  expect(await db.selectFrom("user").selectAll().execute()).toEqual([]);
  const runs = await db.selectFrom("run").select(["owner", "expires_at", "status", "access"]).execute();
  expect(runs).toEqual([{ owner: expect.not.stringContaining(user.id) as string, expires_at: 0, status: "canceled", access: null }]);
  // No further page was visited.
  expect(await db.selectFrom("job").select(["state", "leased_by"]).execute()).toEqual([{ state: "done", leased_by: null }]);
  expect(await posted()).toEqual([expect.objectContaining({ to: ANNA.email, kind: "account_deleted" })]);
});

test("a change that cannot be announced by mail is not made", async () => {
  const { accounts, mails, sessions, anna } = await installation();
  const user = await anna();
  const session = await sessions.begin({ userId: user.id });
  vi.spyOn(mails, "post").mockRejectedValue(new Error("disk full"));

  await expect(accounts.register({ ...ANNA, email: "ben@example.org" })).rejects.toThrow("disk full");
  await expect(accounts.changePassword(user, ANNA.password, "a new and long one", "")).rejects.toThrow("disk full");
  await expect(accounts.remove(user, ANNA.password)).rejects.toThrow("disk full");

  expect(await accounts.signIn("ben@example.org", ANNA.password)).toBeUndefined();
  expect(await accounts.signIn(ANNA.email, ANNA.password)).toMatchObject({ id: user.id });
  expect(await sessions.find(session)).toBeDefined();
});

test("the database alone gives access to no account: it contains no password and no link", async () => {
  const location = freshLocation();
  const db = await newDatabase(location);
  onTestFinished(() => db.destroy());
  const { accounts, posted } = await installation(db);
  await accounts.register(ANNA);
  await accounts.requestPasswordReset(ANNA.email, "de");
  const bytes = await databaseBytes(location);
  const tokens = (await posted()).map(tokenIn);

  // Control: this search finds unencrypted data.
  expect(bytes.includes(ANNA.email)).toBe(true);
  expect(tokens).toHaveLength(2);
  for (const secret of [ANNA.password, ...tokens]) expect(bytes.includes(secret)).toBe(false);
  const hashes = await db.selectFrom("account_link").select("token_hash").execute();
  for (const { token_hash } of hashes) expect(await accounts.ownerOfReset(token_hash)).toBeNull();
});

test("a link to confirm an address that is confirmed already takes nothing away", async () => {
  const { db, accounts, sessions, posted } = await installation();
  await accounts.register(ANNA);
  const [letter] = await posted();
  const user = await accounts.signIn(ANNA.email, ANNA.password);
  const session = await sessions.begin({ userId: user?.id ?? "" });
  await db.updateTable("user").set({ email_verified: 1 }).where("email", "=", ANNA.email).execute();
  expect(await accounts.accessGrantsBehind(tokenIn(letter))).toBeNull();
  expect(await accounts.confirmElsewhere(tokenIn(letter), [])).toBeNull();
  expect(await accounts.signIn(ANNA.email, ANNA.password)).toMatchObject({ id: user?.id });
  expect(await sessions.find(session)).toBeDefined();
});

test("of two administrators who delete their accounts at once, one stays", async () => {
  const { db, accounts, anna, posted } = await installation();
  const administrators = createAdministrators({ db, hosted: false });
  const ada = await anna();
  await accounts.register({ ...ANNA, email: "ben@example.org" });
  const ben = await accounts.signIn("ben@example.org", ANNA.password);
  if (!ben) throw new Error("nobody has registered");
  await accounts.register({ ...ANNA, email: "cem@example.org" });
  await posted();
  await db.updateTable("user").set({ administrator: 1 }).where("id", "in", [ada.id, ben.id]).execute();
  const leave = (user: User) => accounts.remove(user, ANNA.password, undefined, (trx) => administrators.isLast({ ...user, isAdministrator: true }, trx));
  expect((await Promise.all([leave(ada), leave(ben)])).toSorted()).toEqual([false, true]);
  expect(await administrators.exist()).toBe(true);
  expect((await posted()).map(({ kind }) => kind)).toEqual(["account_deleted"]);
});
