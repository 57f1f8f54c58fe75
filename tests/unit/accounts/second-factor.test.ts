import { expect, test } from "vitest";
import { createSecondFactors } from "~/accounts/second-factor/second-factor.server";
import { kindOfCode } from "~/accounts/second-factor/code-attempt.server";
import { appAddress, qrCodeOf, stepOf } from "~/accounts/second-factor/code-app.server";
import { personalDataOf } from "~/accounts/personal-data.server";
import { removeUser } from "~/accounts/user.server";
import { createMails } from "~/mail/outbox.server";
import { createSecretBox } from "~/platform/crypto/secret-box.server";
import { databaseBytes, newDatabase } from "../../support/database/server-database";
import { freshDatabase, freshLocation } from "../../support/database/database";
import { codeOf } from "../../support/accounts/second-factor";
import type { Db, Trx } from "db/schema";

const ANNA = { id: "anna", email: "anna@example.org", locale: "de" } as const;
const STEP_MS = 30_000;
const START = 1_800_000_000_000;

/** Passkey with a verified answer. */
function storedPasskey(userId: string, name: string) {
  const row = { id: name, user_id: userId, name, public_key: "", counter: 0, transports: "[]", created_at: START };
  return async (trx: Trx) => void (await trx.insertInto("passkey").values(row).execute());
}

async function installation(given?: Db) {
  const db = given ?? (await freshDatabase());
  const box = createSecretBox(["a secret"]);
  const mails = createMails({ db, box });
  const clock = { now: START };
  const factors = createSecondFactors({
    passkeys: { checkNew: async (userId, answer, name) => (answer === "good" ? storedPasskey(userId, name) : null) },
    ...{ db, box, mails, baseUrl: "https://rampe.example", now: () => clock.now },
    write: (kind, locale, values) => ({ subject: `${kind} ${locale}`, text: JSON.stringify(values) }),
  });
  await db
    .insertInto("user")
    .values({ ...ANNA, email_key: ANNA.email, email_verified: 1, name: "Anna", subject: null, password: null, created_at: 0 })
    .execute();

  async function posted(): Promise<{ kind: string; text: string }[]> {
    const letters = [];
    for (let mail = await mails.take(); mail; mail = await mails.take()) {
      await mails.sent(mail.id);
      letters.push({ kind: mail.subject, text: mail.text });
    }
    return letters;
  }

  async function turnOn(): Promise<{ secret: string; codes: string[] }> {
    await factors.begin(ANNA.id);
    const secret = (await factors.secretBeingSetUp(ANNA.id)) ?? "";
    const codes = (await factors.confirm(ANNA, codeOf(secret, 0, clock.now))) ?? [];
    await posted();
    return { secret, codes };
  }

  return { db, factors, clock, posted, turnOn };
}

test("codes follow RFC 6238", () => {
  const secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
  for (const [seconds, code] of [[59, "287082"], [1_111_111_109, "081804"], [20_000_000_000, "353130"]] as const) {
    expect(stepOf(secret, code, seconds * 1_000)).toBe(Math.floor(seconds / 30));
  }
});

test("a second factor is on only after a code of the app, and the person is told", async () => {
  const { factors, clock, posted } = await installation();
  expect(await factors.begin(ANNA.id)).toBe(true);
  const secret = (await factors.secretBeingSetUp(ANNA.id)) ?? "";
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  expect(await factors.hasSecondFactor(ANNA.id)).toBe(false);
  expect(await factors.confirm(ANNA, "000000")).toBeNull();
  expect(await posted()).toEqual([]);
  const codes = await factors.confirm(ANNA, codeOf(secret, 0, clock.now));
  expect(new Set(codes).size).toBe(10);
  expect(await factors.hasSecondFactor(ANNA.id)).toBe(true);
  expect(await factors.stateOf(ANNA.id)).toEqual({ appSince: START, passkeys: 0, recoveryCodesLeft: 10 });
  expect(await posted()).toEqual([expect.objectContaining({ kind: "second_factor_on de" })]);
  expect(await factors.begin(ANNA.id), "the app in use stays").toBe(false);
  expect(await factors.secretBeingSetUp(ANNA.id)).toBeNull();
});

test("a secret that nobody confirms within an hour is forgotten", async () => {
  const { factors, clock } = await installation();
  await factors.begin(ANNA.id);
  const secret = (await factors.secretBeingSetUp(ANNA.id)) ?? "";
  clock.now += 3_600_001;
  expect(await factors.secretBeingSetUp(ANNA.id)).toBeNull();
  expect(await factors.confirm(ANNA, codeOf(secret, 0, clock.now))).toBeNull();
});

test("a code is accepted once, also in its neighbouring steps, and no older one after it", async () => {
  const { factors, clock, turnOn } = await installation();
  const { secret } = await turnOn();
  const at = (steps: number) => codeOf(secret, steps, clock.now);
  expect(await factors.acceptsCode(ANNA.id, at(0)), "it turned the second factor on").toBe(false);
  clock.now += 2 * STEP_MS;
  const code = at(0);
  expect(await Promise.all([factors.acceptsCode(ANNA.id, code), factors.acceptsCode(ANNA.id, code)])).toEqual(expect.arrayContaining([true, false]));
  clock.now += STEP_MS;
  expect(await factors.acceptsCode(ANNA.id, code)).toBe(false);
  expect(await factors.acceptsCode(ANNA.id, at(-1))).toBe(false);
  expect(await factors.acceptsCode(ANNA.id, at(0))).toBe(true);
});

test.each([
  [-2, false],
  [-1, true],
  [0, true],
  [1, true],
  [2, false],
])("a clock that differs by %i steps: accepted is %s", async (steps, isAccepted) => {
  const { factors, clock, turnOn } = await installation();
  const { secret } = await turnOn();
  clock.now += 10 * STEP_MS;
  expect(await factors.acceptsCode(ANNA.id, codeOf(secret, steps, clock.now))).toBe(isAccepted);
});

test("a recovery code is accepted once, however it is typed, and the person is told how many are left", async () => {
  const { factors, posted, turnOn } = await installation();
  const { codes: [one = "", two = ""] } = await turnOn();
  expect(await Promise.all([factors.acceptsRecoveryCode(ANNA, one), factors.acceptsRecoveryCode(ANNA, one)])).toEqual(expect.arrayContaining([true, false]));
  expect(await factors.acceptsRecoveryCode(ANNA, ` ${two.toUpperCase().replaceAll("-", " ")} `)).toBe(true);
  expect(await factors.acceptsRecoveryCode({ ...ANNA, id: "another" }, two)).toBe(false);
  expect(await factors.stateOf(ANNA.id)).toMatchObject({ recoveryCodesLeft: 8 });
  const letters = await posted();
  expect(letters.map(({ kind }) => kind)).toEqual(["recovery_code_used de", "recovery_code_used de"]);
  expect(letters.at(-1)?.text).toContain('"left":"8"');
});

test("new recovery codes end the former ones", async () => {
  const { factors, posted, turnOn } = await installation();
  const { codes: [former = ""] } = await turnOn();
  const [fresh = ""] = await factors.renewRecoveryCodes(ANNA);
  expect(await posted()).toEqual([expect.objectContaining({ kind: "recovery_codes_renewed de" })]);
  expect(await factors.acceptsRecoveryCode(ANNA, former)).toBe(false);
  expect(await factors.acceptsRecoveryCode(ANNA, fresh)).toBe(true);
});

test("turned off, neither app nor recovery codes work any more, and a new app gets a new secret", async () => {
  const { factors, clock, posted, turnOn } = await installation();
  const { secret, codes } = await turnOn();
  await factors.turnOff(ANNA);
  expect(await posted()).toEqual([expect.objectContaining({ kind: "second_factor_off de" })]);
  clock.now += STEP_MS;
  expect(await factors.hasSecondFactor(ANNA.id)).toBe(false);
  expect(await factors.acceptsCode(ANNA.id, codeOf(secret, 0, clock.now))).toBe(false);
  expect(await factors.acceptsRecoveryCode(ANNA, codes[0] ?? "")).toBe(false);
  expect((await turnOn()).secret).not.toBe(secret);
});

test("the operator can turn it off, which ends all sessions; without one there is nothing to turn off", async () => {
  const { db, factors, posted, turnOn } = await installation();
  expect(await factors.resetByOperator(ANNA.email)).toBe(false);
  await turnOn();
  await db.insertInto("session").values({ id_hash: "x", user_id: ANNA.id, created_at: 0, seen_at: 0, expires_at: START }).execute();
  expect(await factors.resetByOperator("nobody@example.org")).toBe(false);
  await expect(factors.resetByOperator(ANNA.email, () => Promise.reject(new Error("the disk is full")))).rejects.toThrow("full");
  expect(await factors.hasSecondFactor(ANNA.id)).toBe(true);
  const noted: string[] = [];
  expect(await factors.resetByOperator(" Anna@Example.org", async (_trx, { email }) => void noted.push(email))).toBe(true);
  expect(noted).toEqual([ANNA.email]);
  expect(await factors.hasSecondFactor(ANNA.id)).toBe(false);
  expect(await db.selectFrom("session").selectAll().execute()).toEqual([]);
  expect(await posted()).toEqual([expect.objectContaining({ kind: "second_factor_reset de" })]);
});

test("the database reveals neither secret nor recovery codes, the export neither, and deletion takes all of it", async () => {
  const location = freshLocation();
  const db = await newDatabase(location);
  const { factors, turnOn } = await installation(db);
  const { secret, codes } = await turnOn();
  const { secondFactor } = await personalDataOf(db, ANNA.id);
  expect(secondFactor).toEqual({ passkeys: [], app: { createdAt: expect.any(String) as string, confirmedAt: expect.any(String) as string }, recoveryCodes: codes.map(() => ({ usedAt: null })) });
  const bytes = await databaseBytes(location);
  for (const hidden of [secret, ...codes]) expect(bytes.includes(hidden)).toBe(false);
  await db.transaction().execute((trx) => removeUser(trx, ANNA.id));
  expect(await factors.hasSecondFactor(ANNA.id)).toBe(false);
  for (const table of ["code_app", "recovery_code"] as const) expect(await db.selectFrom(table).selectAll().execute()).toEqual([]);
  await db.destroy();
});

test("six digits in any grouping are a code of the app, anything else a recovery code", () => {
  expect(kindOfCode("123 456")).toEqual({ kind: "app", code: "123456" });
  expect(kindOfCode("123-456")).toEqual({ kind: "app", code: "123456" });
  expect(kindOfCode("abcde-23456-fghjk").kind).toBe("recovery");
  expect(kindOfCode("1234567").kind).toBe("recovery");
});

test("the picture for the camera holds the account's name and the secret", () => {
  const address = appAddress("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", ANNA.email);
  expect(address).toMatch(/^otpauth:\/\/totp\/Rampe:anna%40example\.org\?.*secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ/);
  const { size, path } = qrCodeOf(address);
  expect(size).toBeGreaterThan(25);
  expect(path).toMatch(/^(M\d+ \d+h1v1h-1z)+$/);
});

test("a passkey is a second factor as well: the first one brings recovery codes, the last one is only turned off by a code", async () => {
  const { factors, posted, clock } = await installation();
  expect(await factors.addPasskey(ANNA, "bad", "Phone")).toBeNull();
  expect(await factors.addPasskey(ANNA, "good", "Phone")).toHaveLength(10);
  expect(await factors.hasSecondFactor(ANNA.id)).toBe(true);
  expect(await factors.removePasskey(ANNA, "Phone")).toBe("last");
  expect(await factors.addPasskey(ANNA, "good", "Key")).toEqual([]);
  expect(await factors.removePasskey({ ...ANNA, id: "another" }, "Phone")).toBe("gone");
  expect(await factors.removePasskey(ANNA, "Phone")).toBe("removed");
  expect((await posted()).map(({ kind }) => kind)).toEqual(["passkey_added de", "passkey_added de", "passkey_removed de"]);

  await factors.begin(ANNA.id);
  const secret = (await factors.secretBeingSetUp(ANNA.id)) ?? "";
  expect(await factors.confirm(ANNA, codeOf(secret, 0, clock.now)), "the recovery codes stay").toEqual([]);
  expect(await factors.removePasskey(ANNA, "Key"), "the app is left").toBe("removed");
  await factors.addPasskey(ANNA, "good", "Key");
  await factors.turnOff(ANNA);
  expect(await factors.stateOf(ANNA.id)).toEqual({ appSince: null, passkeys: 0, recoveryCodesLeft: 0 });
});
