import { expect, test } from "vitest";
import { createPasskeys } from "~/accounts/second-factor/passkeys.server";
import { createAuthenticator } from "../../support/accounts/authenticator";
import { freshDatabase } from "../../support/database/database";

const ORIGIN = "https://rampe.example";
const ANNA = { id: "anna", email: "anna@example.org", name: "Anna" };
const EVE = { id: "eve", email: "eve@example.org", name: "Eve" };

async function installation() {
  const db = await freshDatabase();
  const clock = { now: 1_800_000_000_000 };
  const passkeys = createPasskeys({ db, baseUrl: ORIGIN, now: () => clock.now });
  for (const { id, email, name } of [ANNA, EVE]) {
    await db.insertInto("user").values({ id, email, name, email_key: email, subject: null, password: null, locale: "de", created_at: 0 }).execute();
  }
  const challengeToAdd = async (owner = ANNA) => (await passkeys.optionsToAdd(owner))?.challenge ?? "none";
  const challengeToUse = async (owner = ANNA) => (await passkeys.optionsToUse(owner.id))?.challenge ?? "none";

  async function added(owner = ANNA) {
    const authenticator = createAuthenticator(ORIGIN);
    const store = await passkeys.checkNew(owner.id, authenticator.create(await challengeToAdd(owner)), "Phone");
    if (!store) throw new Error("the passkey was not accepted");
    await db.transaction().execute(store);
    return authenticator;
  }
  return { db, clock, passkeys, challengeToAdd, challengeToUse, added };
}

test("a passkey is added and used, and its last use is known", async () => {
  const { passkeys, clock, challengeToUse, added } = await installation();
  expect(await passkeys.optionsToUse(ANNA.id), "without a passkey").toBeNull();
  const authenticator = await added();
  expect(await passkeys.list(ANNA.id)).toEqual([expect.objectContaining({ name: "Phone", lastUsedAt: null })]);
  expect(await passkeys.accepts(ANNA.id, authenticator.get(await challengeToUse()))).toBe(true);
  expect(await passkeys.list(ANNA.id)).toEqual([expect.objectContaining({ lastUsedAt: clock.now })]);
});

test("each answer is accepted once, within five minutes", async () => {
  const { passkeys, clock, challengeToUse, added } = await installation();
  const authenticator = await added();
  const answer = authenticator.get(await challengeToUse());
  expect(await Promise.all([passkeys.accepts(ANNA.id, answer), passkeys.accepts(ANNA.id, answer)])).toEqual(expect.arrayContaining([true, false]));
  const late = authenticator.get(await challengeToUse());
  clock.now += 300_001;
  expect(await passkeys.accepts(ANNA.id, late)).toBe(false);
});

test("answers that are not for us, or not of this person, are refused", async () => {
  const { passkeys, challengeToAdd, challengeToUse, added } = await installation();
  const [own, stranger] = [await added(), await added(EVE)];
  const refused = async (answer: string) => expect(await passkeys.accepts(ANNA.id, answer)).toBe(false);
  await refused(own.get(await challengeToUse(), { origin: "https://evil.example" }));
  await refused(own.get(await challengeToUse(), { host: "evil.example" }));
  await refused(own.get(await challengeToUse(EVE)));
  await refused(own.get(await challengeToAdd()));
  await refused(own.get("a challenge of nobody"));
  await refused(stranger.get(await challengeToUse()));
  for (const answer of ["", "{}", "null", "not JSON", JSON.stringify({ id: "a".repeat(30_000) })]) await refused(answer);
  expect(await passkeys.accepts(ANNA.id, own.get(await challengeToUse()))).toBe(true);
});

test("a copied passkey is noticed by its counter", async () => {
  const { passkeys, challengeToUse, added } = await installation();
  const authenticator = await added();
  expect(await passkeys.accepts(ANNA.id, authenticator.get(await challengeToUse(), { counter: 7 }))).toBe(true);
  expect(await passkeys.accepts(ANNA.id, authenticator.get(await challengeToUse(), { counter: 7 }))).toBe(false);
});

test("a new passkey has to answer our challenge for it, from our page, and is known only once", async () => {
  const { passkeys, challengeToAdd, challengeToUse, added } = await installation();
  const authenticator = await added();
  const refused = async (answer: string) => expect(await passkeys.checkNew(ANNA.id, answer, "x")).toBeNull();
  const fresh = createAuthenticator(ORIGIN);
  await refused(fresh.create(await challengeToAdd(), { origin: "https://evil.example" }));
  await refused(fresh.create(await challengeToAdd(), { host: "evil.example" }));
  await refused(fresh.create(await challengeToUse()));
  await refused(fresh.create(await challengeToAdd(EVE)));
  await refused(authenticator.create(await challengeToAdd()));
  expect(await passkeys.checkNew(ANNA.id, fresh.create(await challengeToAdd()), "x")).not.toBeNull();
});

test.each([
  ["https://rampe.example", true],
  ["http://localhost:3000", true],
  ["http://rampe.example", false],
  ["http://127.0.0.1:3000", false],
  ["https://192.0.2.1", false],
  ["https://[2001:db8::1]", false],
])("passkeys at %s: %s", async (baseUrl, isPossible) => {
  expect(createPasskeys({ db: await freshDatabase(), baseUrl }).isPossible).toBe(isPossible);
});
