import type { Db } from "db/schema";
import { afterAll, beforeAll, expect, test } from "vitest";
import { hashOf } from "~/platform/crypto/tokens.server";
import { createAcceptances } from "~/findings/acceptance/acceptances.server";
import { createApiTokens } from "~/api/token.server";
import type { Run } from "~/runs/run";
import { createShares } from "~/reports/share/share.server";
import { finishedRun } from "../../support/database/finished-runs";
import type { Answer, FormBrowser } from "../../support/browser/form-browser";
import { newMember, visitorOf, type Member } from "../../support/accounts/accounts";
import { checkedPage, element, finding } from "../../support/database/page-results";
import { fillIn, LIST_PATHS, PATHS, RUN_PATHS, WEBSITE_PATHS } from "../../support/browser/route-paths";
import { startServer, type TestServer } from "../../support/servers/server";

/** Text that only the findings of the run contain. */
const SECRET = "geheimnis-4711";
const MISSING = "A".repeat(22);

const SHARED_PATHS = PATHS.filter((path) => path.startsWith("/shared/"));
const API_PATHS = PATHS.filter((path) => path.startsWith("/api/v1/"));

let server: TestServer;
let db: Db;
let ada: Member;
let eve: Member;
let run: Run;
let pageId: number;
let acceptanceId: string;

beforeAll(async () => {
  server = await startServer({ env: { BILLING: "off", TRUST_PROXY: "1" } });
  db = await server.database();
  [ada, eve] = await Promise.all([newMember(server), newMember(server)]);
  // The flash message about the new account must not make other answers differ.
  await Promise.all([ada.get("/"), eve.get("/")]);
  const secrets = [element({ target: [`#${SECRET}`], html: `<img id="${SECRET}">`, picture: Buffer.from(SECRET) })];
  const of = (ruleId: string) => finding(ruleId, { impact: "serious", elementCount: 1, elements: secrets });
  const found = checkedPage({
    url: `https://${SECRET}.example/`,
    title: SECRET,
    picture: { image: Buffer.from(SECRET), width: 9, height: 9 },
    walk: { stops: [{ name: SECRET, role: "link", box: null }], count: 1, isWhole: true, picture: { image: Buffer.from(SECRET), width: 9, height: 9 } },
    findings: { violations: [of("image-alt")], incomplete: [of("color-contrast")], passes: [], inapplicable: [] },
  });
  run = await finishedRun(db, [found], { owner: ada.id, at: Date.now() });
  const thrown = await finishedRun(db, [found], { owner: ada.id, at: Date.now() });
  await db.updateTable("run").set({ deleted_at: Date.now() }).where("id", "=", thrown.id).execute();
  pageId = (await db.selectFrom("page").select("id").where("run_id", "=", run.id).executeTakeFirstOrThrow()).id;
  ({ id: acceptanceId } = await createAcceptances({ db }).accept(ada.id, { url: `https://unrelated.example/` }, { scope: "rule", rule: { source: "axe", ruleId: "label" }, element: null }, { kind: "other", lastDay: "2999-01-31", reason: SECRET }));
});

afterAll(() => server.stop());

/** @param id id of a run, or the token of a shared link */
const addressOf = (path: string, id: string) =>
  fillIn(path, { id, token: id, category: "violations", rule: "image-alt", page: pageId, position: 0, file: "export.json" });

/** Fields of all forms. */
const fieldsFor = (id: string, deletedAt: string) => ({
  ...{ run: id, at: deletedAt, days: "7", every: "week", answer: "problem", rule: "image-alt", group: "A".repeat(22), criterion: "1.1.1", verdict: "fulfilled", url: "" },
  ...{ what: "rule", kind: "not_a_barrier", reason: "no", note: "no", end: acceptanceId },
});

const deletedAt = async () => String((await db.selectFrom("run").select("deleted_at").where("deleted_at", "is not", null).executeTakeFirstOrThrow()).deleted_at);

/** All data that another user could have changed. */
const dataOfAda = () =>
  Promise.all([
    db.selectFrom("run").selectAll().where("owner", "=", ada.id).orderBy("id").execute(),
    ...(["share", "schedule", "review", "criterion_review", "acceptance", "finding_note", "finding", "element"] as const).map((table) => db.selectFrom(table).selectAll().execute()),
  ]);

/** Text of an answer, without the parts that differ each time. */
function without(id: string, { status, location, text }: Answer): unknown {
  const said = text
    .replaceAll(id, "ID")
    .replace(/nonce="[^"]*"/g, "")
    .replace(/[A-Z0-9]{10}(?=["<\\])/g, "REFERENCE");
  return { status, location: location?.replaceAll(id, "ID") ?? null, said };
}

/** The secret as text, and as a picture inside of another picture. */
const SPELLINGS = [SECRET, Buffer.from(SECRET).toString("base64")];
const tells = (answer: Answer) => [answer.text, ...answer.headers.values()].some((text) => SPELLINGS.some((secret) => text.includes(secret)));
const guest = (headers: Record<string, string> = {}) => visitorOf(server, { headers });

test("control: every address of runs, shared links and the API is covered, and shows the owner the secret", async () => {
  expect([RUN_PATHS.length, LIST_PATHS.length, SHARED_PATHS.length, API_PATHS.length].every((count) => count > 2)).toBe(true);
  for (const path of ["/run/:id", "/run/:id/:category/:rule", "/run/:id/:category/:rule/:page/:position", "/run/:id/export.json", "/run/:id/pages", "/run/:id/pages/:page/keyboard", "/run/:id/pages/:page/keyboard/picture", "/run/:id/pages/:page/keyboard/picture/numbered", "/run/:id/review", "/run/:id/review/criteria", "/run/:id/accept/:rule", "/run/:id/accept/:rule/:page/:position", "/run/:id/notes/:category/:rule/:page/:position"]) {
    const answer = await ada.get(addressOf(path, run.id));
    expect([path, answer.status, tells(answer)]).toEqual([path, 200, true]);
  }
});

test.each([...RUN_PATHS, ...LIST_PATHS])("a guest is asked to sign in, and learns nothing: %s", async (path) => {
  const before = await dataOfAda();
  const address = addressOf(path, run.id);
  const leadsOn = [`/login?returnTo=${encodeURIComponent(address)}`, `/run/${run.id}`, "/runs"];
  for (const send of [() => guest().get(address), async () => guest().post(address, fieldsFor(run.id, await deletedAt()))]) {
    const answer = await send();
    // A stream ends before it begins; pages without a form refuse POST requests.
    const refused = answer.location === null ? [204, 405].includes(answer.status) : [301, 303].includes(answer.status) && leadsOn.includes(answer.location);
    expect([answer.status, answer.location, refused, tells(answer)]).toEqual([answer.status, answer.location, true, false]);
  }
  expect(tells(await guest().get(`${address}.data`))).toBe(false);
  expect(await dataOfAda()).toEqual(before);
});

test.each(RUN_PATHS)("another user's run is reported like a missing one: %s", async (path) => {
  const before = await dataOfAda();
  const at = await deletedAt();
  const asks: ((id: string) => Promise<Answer>)[] = [
    (id) => eve.get(addressOf(path, id)),
    (id) => eve.get(`${addressOf(path, id)}.data`),
    (id) => eve.post(addressOf(path, id), fieldsFor(id, at)),
    (id) => eve.post(addressOf(path, id), { do: "end", remove: "1" }),
  ];
  for (const ask of asks) {
    const [foreign, missing] = [await ask(run.id), await ask(MISSING)];
    expect(tells(foreign)).toBe(false);
    expect(foreign.status).not.toBe(200);
    expect(without(run.id, foreign)).toEqual(without(MISSING, missing));
  }
  expect(await dataOfAda()).toEqual(before);
});

test.each(WEBSITE_PATHS)("another user's website is reported like one that nobody has: %s", async (path) => {
  const before = await dataOfAda();
  const [hers, nobodys] = [`${SECRET}.example`, "nobodys-4711.example"];
  expect(tells(await ada.get(fillIn(path, { id: hers })))).toBe(true);
  const asks: ((address: string) => Promise<Answer>)[] = [
    (address) => eve.get(address),
    (address) => eve.get(`${address}.data`),
    (address) => eve.post(address, { every: "week", hour: "3" }),
    (address) => eve.post(address, { do: "end" }),
  ];
  for (const ask of asks) {
    const [foreign, missing] = [await ask(fillIn(path, { id: hers })), await ask(fillIn(path, { id: nobodys }))];
    expect([foreign.status, missing.status]).toEqual([404, 404]);
    expect(without(hers, foreign)).toEqual(without(nobodys, missing));
    const login = await guest().get(fillIn(path, { id: hers }));
    expect([login.status, login.location]).toEqual([303, `/login?returnTo=${encodeURIComponent(fillIn(path, { id: hers }))}`]);
  }
  expect(await dataOfAda()).toEqual(before);
  expect(await db.selectFrom("schedule").select("id").where("owner", "=", eve.id).execute()).toEqual([]);
});

test("another user's schedule is reported like one that nobody has", async () => {
  await ada.post(`/run/${run.id}/schedule`, { every: "week", accessUser: "guest", accessPassword: "open sesame" });
  const { id } = await db.selectFrom("schedule").select("id").where("owner", "=", ada.id).executeTakeFirstOrThrow();
  const before = await dataOfAda();
  expect(tells(await ada.get(`/runs/schedules/${id}`))).toBe(true);
  const asks: ((id: string) => Promise<Answer>)[] = [
    (each) => eve.get(`/runs/schedules/${each}`),
    (each) => eve.get(`/runs/schedules/${each}.data`),
    (each) => eve.post(`/runs/schedules/${each}`, { every: "week", hour: "3" }),
    (each) => eve.post(`/runs/schedules/${each}`, { do: "end" }),
    (each) => eve.post(`/runs/schedules/${each}`, { do: "forgetAccess" }),
  ];
  for (const ask of asks) {
    const [foreign, missing] = [await ask(id), await ask("A".repeat(id.length))];
    expect([foreign.status, missing.status, tells(foreign)]).toEqual([404, 404, false]);
    expect(without(id, foreign)).toEqual(without("A".repeat(id.length), missing));
  }
  expect(await dataOfAda()).toEqual(before);
});

test.each(LIST_PATHS)("a list contains only the user's runs, and changes no others: %s", async (path) => {
  const before = await dataOfAda();
  const answers = [
    await eve.get(path),
    await eve.get(`${path}?run=${run.id}&q=${SECRET.slice(0, 5)}&before=9999999999999.z`),
    await eve.get(`${path}.data?run=${run.id}`),
    await eve.post(path, { ...fieldsFor(run.id, await deletedAt()), ...(path === "/websites" ? { website: `${SECRET}.example` } : {}) }),
  ];
  expect(answers.map(tells)).toEqual([false, false, false, false]);
  expect(await dataOfAda()).toEqual(before);
  expect(await db.selectFrom("run").select("id").where("owner", "=", eve.id).execute()).toEqual([]);
});

test("an expired or revoked link, and one of a deleted run, are reported like a missing one", async () => {
  const shares = createShares({ db });
  const newLink = async () => {
    const token = (await shares.create(ada.id, run.id, 7)) ?? "";
    const { id } = await db.selectFrom("share").select("id").where("token_hash", "=", hashOf(token)).executeTakeFirstOrThrow();
    return { token, id };
  };
  const [good, expired, taken] = [await newLink(), await newLink(), await newLink()];
  await db.updateTable("share").set({ expires_at: Date.now() - 1 }).where("id", "=", expired.id).execute();
  await shares.revoke(ada.id, run.id, taken.id);
  const never = "B".repeat(43);
  for (const path of SHARED_PATHS) {
    expect([path, tells(await guest().get(addressOf(path, good.token)))]).toEqual([path, true]);
    const unknown = without(never, await guest().get(addressOf(path, never)));
    for (const { token } of [expired, taken]) {
      const answer = await guest().get(addressOf(path, token));
      expect([path, answer.status, tells(answer)]).toEqual([path, 404, false]);
      expect(without(token, answer)).toEqual(unknown);
    }
  }
  await db.updateTable("run").set({ deleted_at: Date.now() }).where("id", "=", run.id).execute();
  for (const path of SHARED_PATHS) expect([path, (await guest().get(addressOf(path, good.token))).status]).toEqual([path, 404]);
  await db.updateTable("run").set({ deleted_at: null }).where("id", "=", run.id).execute();
});

test.each(API_PATHS)("a token opens only its owner's runs; without a token nothing opens: %s", async (path) => {
  const before = await dataOfAda();
  const token = await createApiTokens({ db }).create(eve.id, { name: "CI", scopes: ["runs:read", "runs:write"], days: 1 });
  const browsers: [number, FormBrowser][] = [
    [401, guest()],
    [401, guest({ Cookie: ada.cookie })],
    [401, guest({ Authorization: `Bearer rampe_${"A".repeat(43)}` })],
    [404, guest({ Authorization: `Bearer ${token}` })],
  ];
  const isOfRun = path.includes(":id");
  for (const [status, browser] of browsers) {
    for (const ask of [(id: string) => browser.get(addressOf(path, id)), (id: string) => browser.post(addressOf(path, id), {})]) {
      const [foreign, missing] = [await ask(run.id), await ask(MISSING)];
      expect(tells(foreign)).toBe(false);
      if (isOfRun) expect([status, 405]).toContain(foreign.status);
      expect([foreign.status, foreign.headers.get("content-type")]).toEqual([missing.status, missing.headers.get("content-type")]);
    }
  }
  const gone = await fetch(`${server.origin}${addressOf(path, run.id)}`, { method: "DELETE", headers: { Authorization: `Bearer ${token}` } });
  expect([404, 405]).toContain(gone.status);
  expect(await dataOfAda()).toEqual(before);
});
