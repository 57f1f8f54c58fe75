import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import type { Db } from "db/schema";
import { createSecretBox } from "~/platform/crypto/secret-box.server";
import { createSessions, type Session, type Sessions } from "~/accounts/session.server";
import { createKnownBrowsers } from "~/accounts/known-browser.server";
import { createBrowserCookie, createSessionCookie, createVisitor } from "~/accounts/visitor.server";
import { createUsers } from "~/accounts/user.server";
import { freshDatabase, freshLocation } from "../../support/database/database";
import { newDatabase, databaseBytes } from "../../support/database/server-database";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const TOKENS = { accessToken: "access-in-clear", refreshToken: "refresh-in-clear", idToken: "id-in-clear", expiresAt: 5, provedAt: null };
const KEPT = { path: "/profile/name", fields: [["name", "kept-in-clear"]] as [string, string][], owner: null };

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

async function installation(given?: Db) {
  const db = given ?? (await freshDatabase());
  const users = createUsers({ db });
  const person = async (subject: string) => {
    const profile = { subject, email: `${subject}@example.org`, emailVerified: true, name: subject };
    return (await users.recognise(profile, "de")).id;
  };
  const sessions = createSessions({ db, box: createSecretBox(["a secret"]), days: 30 });
  return { db, sessions, anna: await person("anna"), ben: await person("ben") };
}

async function found(sessions: Sessions, id: string): Promise<Session> {
  const session = await sessions.find(id);
  if (!session) throw new Error("there is no such session");
  return session;
}

test("a session knows its user, and stores data", async () => {
  const { sessions, anna } = await installation();
  const flash = { text: "nameChanged", kind: "done" } as const;
  const id = await sessions.begin({ userId: anna, tokens: TOKENS, browser: "Firefox, Linux", flash, kept: KEPT });
  expect(await sessions.find(id)).toMatchObject({
    user: { id: anna, subject: "anna", email: "anna@example.org", emailVerified: true, locale: "de" },
    tokens: TOKENS,
    flash,
    kept: KEPT,
  });
});

test("every session has a unique id that cannot be guessed", async () => {
  const { sessions, anna } = await installation();
  const ids = await Promise.all(Array.from({ length: 20 }, () => sessions.begin({ userId: anna })));
  expect(new Set(ids).size).toBe(20);
  for (const id of ids) expect(id).toMatch(/^[\w-]{43}$/);
});

test("the id of a session in lists and forms gives no access", async () => {
  const { sessions, anna } = await installation();
  const id = await sessions.begin({ userId: anna });
  const [listed] = await sessions.list(anna);
  expect(listed?.idHash).not.toBe(id);
  expect(await sessions.find(listed?.idHash ?? "")).toBeUndefined();
  expect(await sessions.find("")).toBeUndefined();
});

test("a session continues while it is used, and is written at most once an hour", async () => {
  const { sessions, anna } = await installation();
  const id = await sessions.begin({ userId: anna });
  const begin = Date.now();

  vi.setSystemTime(begin + HOUR_MS - 1);
  expect(await sessions.touch(await found(sessions, id))).toBe(false);
  expect((await found(sessions, id)).expiresAt).toBe(begin + 30 * DAY_MS);

  vi.setSystemTime(begin + HOUR_MS);
  expect(await sessions.touch(await found(sessions, id))).toBe(true);
  expect(await sessions.touch(await found(sessions, id))).toBe(false);
  expect((await found(sessions, id)).expiresAt).toBe(begin + HOUR_MS + 30 * DAY_MS);

  vi.setSystemTime(begin + 30 * DAY_MS);
  expect((await found(sessions, id)).user).toMatchObject({ id: anna });
});

test("an unused session ends after the configured days", async () => {
  const { sessions, anna } = await installation();
  const id = await sessions.begin({ userId: anna });
  const begin = Date.now();
  vi.setSystemTime(begin + 30 * DAY_MS - 1);
  expect(await sessions.find(id)).toBeDefined();
  vi.setSystemTime(begin + 30 * DAY_MS);
  expect(await sessions.find(id)).toBeUndefined();
  expect(await sessions.list(anna)).toEqual([]);
});

test("a guest's session ends after an hour, even if used", async () => {
  const { sessions } = await installation();
  const id = await sessions.begin({ userId: null, kept: KEPT });
  const begin = Date.now();
  vi.setSystemTime(begin + HOUR_MS - 1);
  expect(await sessions.touch(await found(sessions, id))).toBe(false);
  expect(await sessions.find(id)).toMatchObject({ user: null, kept: KEPT });
  vi.setSystemTime(begin + HOUR_MS);
  expect(await sessions.find(id)).toBeUndefined();
});

test("expired sessions are removed, the others are not", async () => {
  const { db, sessions, anna } = await installation();
  await sessions.begin({ userId: null });
  const id = await sessions.begin({ userId: anna });
  await sessions.deleteExpired(Date.now() + HOUR_MS);
  expect(await db.selectFrom("session").select("user_id").execute()).toEqual([{ user_id: anna }]);
  expect(await sessions.find(id)).toBeDefined();
});

test("a user can be signed out of one session, of all others, or everywhere; other users are not affected", async () => {
  const { sessions, anna, ben } = await installation();
  const [here, there, elsewhere] = [
    await sessions.begin({ userId: anna }),
    await sessions.begin({ userId: anna }),
    await sessions.begin({ userId: anna }),
  ];
  const bens = await sessions.begin({ userId: ben });
  const hash = async (id: string) => (await found(sessions, id)).idHash;

  await sessions.endOne(anna, await hash(there));
  expect(await sessions.find(there)).toBeUndefined();
  await sessions.endAll(anna);
  expect(await sessions.find(elsewhere)).toBeUndefined();
  expect(await sessions.find(here)).toBeUndefined();
  expect(await sessions.find(bens)).toBeDefined();
});

test("a user cannot end another user's session", async () => {
  const { sessions, anna, ben } = await installation();
  const id = await sessions.begin({ userId: anna });
  await sessions.endOne(ben, (await found(sessions, id)).idHash);
  expect(await sessions.find(id)).toBeDefined();
});

test("the list shows one's own sessions, the last used first", async () => {
  const { sessions, anna, ben } = await installation();
  const first = await sessions.begin({ userId: anna, browser: "first" });
  vi.setSystemTime(Date.now() + 1);
  await sessions.begin({ userId: anna, browser: "second" });
  await sessions.begin({ userId: ben, browser: "Ben's" });
  const browsers = async () => (await sessions.list(anna)).map(({ browser }) => browser);
  expect(await browsers()).toEqual(["second", "first"]);
  vi.setSystemTime(Date.now() + HOUR_MS);
  await sessions.touch(await found(sessions, first));
  expect(await browsers()).toEqual(["first", "second"]);
});

test("a message and a kept form can be removed from a session, and the rest stays", async () => {
  const { sessions, anna } = await installation();
  const id = await sessions.begin({ userId: anna });
  const { idHash } = await found(sessions, id);
  await sessions.setFlash(idHash, { text: "signedOut", kind: "done" });
  await sessions.keepForm(idHash, KEPT);
  await sessions.setTokens(idHash, TOKENS);
  expect(await found(sessions, id)).toMatchObject({ flash: { text: "signedOut" }, kept: KEPT, tokens: TOKENS });
  await sessions.dropFlash(idHash);
  await sessions.dropKept(idHash);
  await sessions.setTokens(idHash, null);
  expect(await found(sessions, id)).toMatchObject({ user: { id: anna }, flash: null, kept: null, tokens: null });
});

test("a session whose secret is lost continues, without its encrypted data", async () => {
  const { db, sessions, anna } = await installation();
  const id = await sessions.begin({ userId: anna, tokens: TOKENS, kept: KEPT });
  const rotated = createSessions({ db, box: createSecretBox(["a new secret", "a secret"]), days: 30 });
  expect(await rotated.find(id)).toMatchObject({ tokens: TOKENS, kept: KEPT });
  const replaced = createSessions({ db, box: createSecretBox(["a new secret"]), days: 30 });
  expect(await replaced.find(id)).toMatchObject({ user: { id: anna }, tokens: null, kept: null });
});

test("tokens copied to another session cannot be decrypted there", async () => {
  const { db, sessions, anna, ben } = await installation();
  const annas = await found(sessions, await sessions.begin({ userId: anna, tokens: TOKENS }));
  const id = await sessions.begin({ userId: ben });
  const { tokens } = await db
    .selectFrom("session")
    .select("tokens")
    .where("id_hash", "=", annas.idHash)
    .executeTakeFirstOrThrow();
  await db.updateTable("session").set({ tokens, kept: tokens }).where("user_id", "=", ben).execute();
  expect(await sessions.find(id)).toMatchObject({ tokens: null, kept: null });
});

test("a session with a new id is no new sign-in", async () => {
  const { db, sessions, anna } = await installation();
  const signing = { secrets: ["a secret"], baseUrl: "http://rampe.example" };
  const cookie = createSessionCookie({ ...signing, days: 30 });
  const id = await sessions.begin({ userId: anna, tokens: TOKENS });
  const begun = Date.now();
  vi.advanceTimersByTime(2 * HOUR_MS);
  const answered: string[] = [];
  const visitor = createVisitor({
    ...{ sessions, cookie, knownBrowsers: createKnownBrowsers({ db }), browserCookie: createBrowserCookie(signing), userAgent: undefined },
    ...{ cookieHeader: await cookie.serialize(id), setCookie: (value: string) => answered.push(value), onError: (error: unknown) => expect.unreachable(String(error)) },
  });
  await visitor.renew();
  expect(await visitor.session()).toMatchObject({ user: { id: anna }, createdAt: begun, seenAt: Date.now(), tokens: TOKENS });
  expect(await cookie.parse(answered.findLast((value) => value.startsWith("session=")) ?? "")).not.toBe(id);
  expect(await sessions.list(anna)).toHaveLength(1);
});

test("the database alone reveals no session, no token and no form input", async () => {
  const location = freshLocation();
  const db = await newDatabase(location);
  onTestFinished(() => db.destroy());
  const { sessions, anna } = await installation(db);
  const id = await sessions.begin({ userId: anna, tokens: TOKENS, browser: "seen-in-clear", kept: KEPT });
  const bytes = await databaseBytes(location);

  // Control: this search finds unencrypted data.
  expect(bytes.includes("seen-in-clear")).toBe(true);
  const { accessToken, refreshToken, idToken } = TOKENS;
  for (const secret of [id, accessToken, refreshToken, idToken, "kept-in-clear"]) {
    expect(bytes.includes(secret)).toBe(false);
    expect(bytes.includes(Buffer.from(secret).toString("base64url"))).toBe(false);
  }
});
