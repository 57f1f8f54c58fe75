import { expect, test } from "vitest";
import { MOST_TOKENS } from "~/api/scopes";
import { LOCALES } from "~/platform/i18n/i18n";
import { textsOf } from "~/platform/i18n/i18n.server";
import { PROBLEM_KINDS, PROBLEMS, problemType } from "~/api/problem-kinds";
import { createApiTokens, type NewToken } from "~/api/token.server";
import { createIdempotency } from "~/api/idempotency.server";
import { createUsers, removeUser } from "~/accounts/user.server";
import { openApiContract } from "../../contracts/api-contract";
import { freshDatabase } from "../../support/database/database";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const TOKEN: NewToken = { name: "Deployment", scopes: ["runs:read"], days: 30 };

async function installation() {
  const db = await freshDatabase();
  const clock = { at: 1_000 * DAY_MS };
  const now = () => clock.at;
  const users = createUsers({ db });
  const person = async (subject: string) => {
    const profile = { subject, email: `${subject}@example.org`, emailVerified: true, name: subject };
    return (await users.recognise(profile, "de")).id;
  };
  const tokens = createApiTokens({ db, now });
  const make = async (userId: string, more: Partial<NewToken> = {}) => {
    const token = await tokens.create(userId, { ...TOKEN, ...more });
    if (token === null) throw new Error("there are too many tokens");
    return token;
  };
  return { db, clock, users, tokens, make, idempotency: createIdempotency({ db, now }), anna: await person("anna"), ben: await person("ben") };
}

test("a token gives access for its owner and scopes, and is not stored in clear", async () => {
  const { db, tokens, make, anna } = await installation();
  const token = await make(anna);
  expect(token).toMatch(/^rampe_[\w-]{43}$/);
  expect(await tokens.holderOf(token)).toMatchObject({ user: { id: anna }, scopes: ["runs:read"] });
  const stored = JSON.stringify(await db.selectFrom("api_token").selectAll().execute());
  expect(stored).not.toContain(token);
  expect(stored).not.toContain(token.slice("rampe_".length));
  for (const wrong of ["", "rampe_", `${token}x`, token.slice(0, -1), token.replace("rampe_", "RAMPE_")]) {
    expect(await tokens.holderOf(wrong), wrong).toBeNull();
  }
});

test("a token expires in time, is listed as expired for a while, and is then deleted", async () => {
  const { clock, tokens, make, anna } = await installation();
  const [token, endless] = [await make(anna), await make(anna, { days: null })];
  clock.at += 30 * DAY_MS - 1;
  expect(await tokens.holderOf(token)).not.toBeNull();
  clock.at += 1;
  expect(await tokens.holderOf(token)).toBeNull();
  expect((await tokens.list(anna)).map(({ expired }) => expired).sort()).toEqual([false, true]);
  clock.at += 30 * DAY_MS;
  await tokens.deleteExpired();
  expect(await tokens.list(anna)).toMatchObject([{ expired: false, expiresAt: null }]);
  expect(await tokens.holderOf(endless)).not.toBeNull();
});

test("only its owner can revoke a token, and it is invalid from then on", async () => {
  const { tokens, make, anna, ben } = await installation();
  const token = await make(anna);
  const [listed] = await tokens.list(anna);
  expect(listed?.ending).toBe(token.slice(-4));
  expect(await tokens.list(ben)).toEqual([]);
  expect(await tokens.revoke(ben, listed?.id ?? "")).toBe(false);
  expect(await tokens.holderOf(token)).not.toBeNull();
  expect(await tokens.revoke(anna, listed?.id ?? "")).toBe(true);
  expect(await tokens.holderOf(token)).toBeNull();
});

test("the number of tokens per account is limited, also with simultaneous requests", async () => {
  const { tokens, anna, ben } = await installation();
  const made = await Promise.all(Array.from({ length: MOST_TOKENS + 5 }, () => tokens.create(anna, TOKEN)));
  expect(made.filter((token) => token !== null)).toHaveLength(MOST_TOKENS);
  expect(await tokens.create(ben, TOKEN)).not.toBeNull();
});

test("the last use of a token is stored to the hour, and not written more often", async () => {
  const { clock, tokens, make, anna } = await installation();
  const token = await make(anna);
  const lastUsed = async () => (await tokens.list(anna))[0]?.lastUsedAt;
  expect(await lastUsed()).toBeNull();
  const first = clock.at;
  await tokens.holderOf(token);
  clock.at += HOUR_MS - 1;
  await tokens.holderOf(token);
  expect(await lastUsed()).toBe(first);
  clock.at += 1;
  await tokens.holderOf(token);
  expect(await lastUsed()).toBe(first + HOUR_MS);
});

test("the owner is informed of each new token, in the same transaction", async () => {
  const { db, anna } = await installation();
  const told: string[] = [];
  const tokens = createApiTokens({ db, tell: async (_trx, { email }, { name }) => void told.push(`${email} ${name}`) });
  await tokens.create(anna, TOKEN);
  expect(told).toEqual([expect.stringMatching(new RegExp(`^\\S+@\\S+ ${TOKEN.name}$`))]);
  const failing = createApiTokens({ db, tell: () => Promise.reject(new Error("full")) });
  await expect(failing.create(anna, TOKEN)).rejects.toThrow("full");
  expect(await tokens.list(anna)).toHaveLength(1);
});

test("a token stays valid after a change of address, but not after deletion of the account", async () => {
  const { db, users, tokens, make, anna } = await installation();
  const token = await make(anna);
  await users.setEmail(anna, "new@example.org");
  expect(await tokens.holderOf(token)).toMatchObject({ user: { email: "new@example.org" } });
  await db.transaction().execute((trx) => removeUser(trx, anna));
  expect(await tokens.holderOf(token)).toBeNull();
  expect(await db.selectFrom("api_token").selectAll().execute()).toEqual([]);
});

test("requests with the same idempotency key are executed once", async () => {
  const { db, tokens, make, idempotency, anna } = await installation();
  const tokenId = (await tokens.holderOf(await make(anna)))?.tokenId ?? "";
  const otherToken = (await tokens.holderOf(await make(anna)))?.tokenId ?? "";
  const key = { tokenId, key: "deploy-1" };
  const claims = await Promise.all([idempotency.claim(key, "a"), idempotency.claim(key, "a")]);
  expect(claims.map(({ kind }) => kind).sort()).toEqual(["granted", "under_way"]);
  await db.transaction().execute((trx) => idempotency.settle(trx, key, "run-1"));
  expect(await idempotency.claim(key, "a")).toEqual({ kind: "settled", runId: "run-1" });
  expect(await idempotency.claim(key, "b")).toEqual({ kind: "other_request" });
  expect(await idempotency.claim({ ...key, tokenId: otherToken }, "b")).toEqual({ kind: "granted" });
  const again = db.transaction().execute((trx) => idempotency.settle(trx, key, "run-2"));
  await expect(again, "a second run for the same key").rejects.toThrow("taken over");
});

test("an idempotency key can be reused after a refusal, a crash, or a day", async () => {
  const { clock, db, tokens, make, idempotency, anna } = await installation();
  const key = { tokenId: (await tokens.holderOf(await make(anna)))?.tokenId ?? "", key: "deploy-1" };
  await idempotency.claim(key, "refused");
  await idempotency.release(key);
  expect(await idempotency.claim(key, "a")).toEqual({ kind: "granted" });
  clock.at += MINUTE_MS;
  expect(await idempotency.claim(key, "b")).toEqual({ kind: "granted" });
  await db.transaction().execute((trx) => idempotency.settle(trx, key, "run-1"));
  await idempotency.release(key);
  clock.at += DAY_MS - 1;
  expect(await idempotency.claim(key, "b")).toEqual({ kind: "settled", runId: "run-1" });
  clock.at += 1;
  expect(await idempotency.claim(key, "c")).toEqual({ kind: "granted" });
});

test("the description of the API contains every problem with its status and texts", () => {
  const { document } = openApiContract();
  const described = Object.values(document.components.responses).flatMap(({ content }) =>
    Object.values(content?.["application/problem+json"]?.examples ?? {}).map(({ value }) => value as { type: string; status: number; title: string }),
  );
  const texts = textsOf("en").getFixedT(null, "tokens");
  const known = PROBLEM_KINDS.map((kind) => ({ type: problemType(kind), status: PROBLEMS[kind], title: texts(`problem.${kind}.title`) }));
  const byType = (one: { type: string }, other: { type: string }) => (one.type < other.type ? -1 : 1);
  expect(described.map(({ type, status, title }) => ({ type, status, title })).sort(byType)).toEqual(known.sort(byType));
  for (const locale of LOCALES) {
    for (const kind of PROBLEM_KINDS) expect(textsOf(locale).exists(`tokens:problem.${kind}.detail`), kind).toBe(true);
  }
});

test("every example in the description of the API matches its schema", () => {
  expect(openApiContract().examples()).toEqual([]);
});
