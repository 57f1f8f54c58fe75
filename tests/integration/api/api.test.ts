import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { PROBLEM_KINDS } from "~/api/problem-kinds";
import { openApiContract } from "../../contracts/api-contract";
import { newMember, newToken, visitorOf, type Member } from "../../support/accounts/accounts";
import { openPrograms, postRaw, type Ask, type Json } from "../../support/browser/api-program";
import { ENDED, subscribe, UNPAID } from "../../support/billing/bought";
import { openDemoSite } from "../../support/scan/demo-site";
import type { FormBrowser } from "../../support/browser/form-browser";
import { startServer, type TestServer } from "../../support/servers/server";
import { databaseBytes, refuseUpdates } from "../../support/database/server-database";
import type { Site } from "../../support/scan/site";

const RUNS = "/api/v1/runs";
const NOBODYS_RUN = "AAAAAAAAAAAAAAAAAAAAAA";
const ALL_SCOPES = { "runs:read": "yes", "runs:write": "yes" };

let server: TestServer;
let site: Site;
const contract = openApiContract();
const contractViolations: string[] = [];
const program = openPrograms(() => server.origin, contract, contractViolations);

beforeAll(async () => {
  site = await openDemoSite();
  server = await startServer({
    env: { TRUST_PROXY: "1", SCAN_ALLOW_PRIVATE: `127.0.0.1:${site.port},localhost:${site.port}` },
  });
});

afterAll(async () => {
  await server.stop();
  await site.close();
});

/** Contract violations of all answers in a test. */
afterEach(() => expect(contractViolations.splice(0)).toEqual([]));

/** @param websites number of websites in the plan; 0 without a purchase */
async function member({ websites = 2 } = {}): Promise<Member> {
  const buyer = await newMember(server);
  if (websites > 0) await subscribe(await server.database(), buyer, { urlLimit: websites });
  return buyer;
}

/** Token, by default with all scopes. */
const tokenOf = (browser: FormBrowser, scopes: Record<string, string> = ALL_SCOPES) => newToken(browser, scopes);

const shownToken = (html: string) => /rampe_[\w-]{43}/.exec(html)?.[0];

async function whenOver(ask: Ask, id: string): Promise<Json> {
  await expect.poll(async () => (await ask("GET", `${RUNS}/${id}`)).json.finishedAt, { interval: 200 }).not.toBeNull();
  return (await ask("GET", `${RUNS}/${id}`)).json;
}

/** Problem without the parts that differ between requests. */
const problemOf = ({ status, json }: { status: number; json: Json }) => [status, json?.type];

test("a token is shown once, is not stored in plain text, and is valid until it is revoked", async () => {
  const browser = await member();
  const refused = await browser.post("/profile/tokens/new", { name: "x".repeat(61), lifetime: "30" });
  expect(refused.status).toBe(422);
  expect(refused.text).toContain('href="#scopes"');
  expect(refused.text).toContain('href="#name"');
  expect(refused.text).toContain(`value="${"x".repeat(61)}"`);

  const token = await tokenOf(browser);
  const list = (await browser.get("/profile/tokens")).text;
  expect(shownToken(list)).toBeUndefined();
  expect(list).toContain(`…${token.slice(-4)}`);
  const stolen = await databaseBytes(server);
  expect(stolen.includes(browser.person.email), "the test reads the right bytes").toBe(true);
  expect(stolen.includes(token)).toBe(false);

  const ask = program(token);
  expect((await ask("GET", RUNS)).json).toEqual({ runs: [], next: null });
  const stranger = await member();
  const [, id = ""] = /name="revoke" value="([^"]+)"/.exec(list) ?? [];
  await stranger.post("/profile/tokens", { revoke: id });
  expect((await ask("GET", RUNS)).status).toBe(200);
  expect((await browser.post("/profile/tokens", { revoke: id })).status).toBe(303);
  const shut = await ask("GET", RUNS);
  expect(problemOf(shut)).toEqual([401, "/api#unauthorized"]);
  expect(shut.headers.get("WWW-Authenticate")).toContain('error="invalid_token"');
});

test("the API ignores session cookies: no page can act for a visitor", async () => {
  const browser = await member();
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const ask = program("");
  const request = { url: site.url("/clean") };
  for (const [method, address, body] of [["GET", RUNS], ["POST", RUNS, request], ["DELETE", `${RUNS}/${NOBODYS_RUN}`]] as const) {
    const answer = await ask(method, address, body, { Cookie: cookie });
    expect(problemOf(answer), method).toEqual([401, "/api#unauthorized"]);
    expect(answer.headers.get("WWW-Authenticate")).toBe('Bearer realm="Rampe"');
  }
  expect((await program(await tokenOf(browser))("GET", RUNS)).json.runs).toEqual([]);
});

test("a form of another site is refused; a program may send any Origin or none", async () => {
  const browser = await member();
  const ask = program(await tokenOf(browser));
  const elsewhere = { Origin: "https://elsewhere.example" };
  const fields = { name: "Webshop", lifetime: "90", ...ALL_SCOPES };
  expect((await browser.post("/profile/tokens/new", fields, elsewhere)).status).toBe(403);
  for (const address of ["/api/../profile/tokens/new", "/api/%2e%2e/profile/tokens/new", "/API/v1/runs"]) {
    expect(await postRaw(server.origin, address, elsewhere), address).toBe(403);
  }
  expect((await ask("POST", RUNS, { url: "" }, elsewhere)).status).toBe(422);
});

test("a program can start a scan, poll its state, and fetch its results", async () => {
  const ask = program(await tokenOf(await member()));
  const started = await ask("POST", RUNS, { url: site.url("/barriers"), level: "A" });
  expect(started.status).toBe(201);
  expect(started.headers.get("Location")).toBe(`${RUNS}/${started.json.id}`);
  expect(started.json).toMatchObject({ scope: "page", standard: "WCAG 2.2 A", finishedAt: null });

  const run = await whenOver(ask, started.json.id);
  expect(run).toMatchObject({ status: "succeeded", progress: { finishedPages: 1, knownPages: 1 }, stats: { pages: 1, failedPages: 0 } });
  expect(run.stats.violations).toBeGreaterThan(3);
  for (const [format, address] of Object.entries<string>(run.links.exports).filter(([name]) => name !== "pdf")) {
    expect((await ask("GET", address)).status, format).toBe(200);
  }
  const report = (await ask("GET", run.links.exports.json)).json;
  expect(report.run).toMatchObject({ id: run.id, status: "succeeded" });
  expect(problemOf(await ask("POST", `${RUNS}/${run.id}/cancel`))).toEqual([409, "/api#run-is-over"]);
  expect(problemOf(await ask("GET", `${RUNS}/${run.id}/export.docx`))).toEqual([404, "/api#not-found"]);

  expect(await ask("DELETE", `${RUNS}/${run.id}`)).toMatchObject({ status: 204, text: "" });
  expect((await ask("GET", `${RUNS}/${run.id}`)).status).toBe(404);
});

test("a scan can be canceled, also twice, and has no report before it is over", async () => {
  const ask = program(await tokenOf(await member()));
  const { json: run } = await ask("POST", RUNS, { url: site.url("/silent") });
  expect(problemOf(await ask("GET", `${RUNS}/${run.id}/export.json`))).toEqual([409, "/api#run-not-over"]);
  const answers = [await ask("POST", `${RUNS}/${run.id}/cancel`), await ask("POST", `${RUNS}/${run.id}/cancel`)];
  expect(answers.map(({ status, json }) => [status, json.status])).toEqual([[200, "canceled"], [200, "canceled"]]);
});

test("a list is paginated, contains each run once, and can be searched", async () => {
  const ask = program(await tokenOf(await member()));
  const ids: string[] = [];
  for (const page of ["/silent?1", "/silent?2", "/silent?3"]) {
    const { json } = await ask("POST", RUNS, { url: site.url(page) });
    await ask("POST", `${RUNS}/${json.id}/cancel`);
    ids.unshift(json.id as string);
  }
  const read: string[] = [];
  let address: string | undefined = `${RUNS}?limit=2&status=canceled`;
  while (address) {
    const part = await ask("GET", address);
    read.push(...part.json.runs.map(({ id }: { id: string }) => id));
    address = /^<([^>]+)>; rel="next"$/.exec(part.headers.get("Link") ?? "")?.[1];
    expect(part.json.next === null).toBe(address === undefined);
  }
  expect(read).toEqual(ids);
  expect((await ask("GET", `${RUNS}?text=silent%3F2`)).json.runs).toMatchObject([{ id: ids[1] }]);
  expect((await ask("GET", `${RUNS}?status=failed`)).json.runs).toEqual([]);
});

test("a repeated start request starts one scan", async () => {
  const ask = program(await tokenOf(await member()));
  const request = { url: site.url("/silent") };
  const again = { "Idempotency-Key": "deploy-1" };
  const both = await Promise.all([ask("POST", RUNS, request, again), ask("POST", RUNS, request, again)]);
  const [first] = both.filter(({ status }) => status === 201);
  for (const answer of both) expect([201, 409]).toContain(answer.status);
  const replay = await ask("POST", RUNS, { scope: "page", ...request }, again);
  expect(replay.status).toBe(201);
  expect(replay.json.id).toBe(first?.json.id);
  expect(replay.headers.get("Idempotency-Replayed")).toBe("true");
  expect(problemOf(await ask("POST", RUNS, { ...request, level: "A" }, again))).toEqual([422, "/api#key-reused"]);
  expect((await ask("GET", RUNS)).json.runs).toHaveLength(1);

  // Repeated requests do not count as starts, whose number per hour is limited.
  const repeated = await Promise.all(Array.from({ length: 60 }, () => ask("POST", RUNS, request, again)));
  expect(new Set(repeated.map(({ status }) => status))).toEqual(new Set([201]));
  const rest = await Promise.all(Array.from({ length: 60 }, () => ask("POST", RUNS, { ...request, scope: "site", level: "AAA" })));
  const limited = rest.filter(({ status }) => status === 429);
  expect(limited.length).toBeGreaterThan(0);
  expect(Number(limited[0]?.headers.get("Retry-After"))).toBeGreaterThan(3_000);
  expect((await ask("GET", RUNS)).json.runs).toHaveLength(1);
  await ask("POST", `${RUNS}/${replay.json.id}/cancel`);
});

test("a scan whose key could not be stored is not started, and a retry starts it once", async () => {
  const ask = program(await tokenOf(await member()));
  const start = () => ask("POST", RUNS, { url: site.url("/silent") }, { "Idempotency-Key": "deploy-2" });
  const db = await server.database();
  const allow = await refuseUpdates(db, "idempotency_key");
  const first = await start();
  await allow();
  expect(first.status).toBe(500);
  expect((await ask("GET", RUNS)).json.runs).toEqual([]);
  const second = await start();
  expect(second.status).toBe(201);
  expect((await start()).json.id).toBe(second.json.id);
  const { json } = await ask("GET", RUNS);
  expect(json.runs).toHaveLength(1);
  for (const { id } of json.runs) await ask("POST", `${RUNS}/${id}/cancel`);
});

test("a scan without an entitlement is refused, with what is needed for it", async () => {
  const buyer = await member({ websites: 1 });
  const ask = program(await tokenOf(buyer));
  const { json: run } = await ask("POST", RUNS, { url: site.url("/silent") });
  const before = site.requests.length;
  expect(problemOf(await ask("POST", RUNS, { url: site.url("/clean", "localhost") }))).toEqual([409, "/api#no-room"]);
  expect(problemOf(await ask("POST", RUNS, { url: site.url("/clean"), level: "AAA" }))).toEqual([403, "/api#level-not-included"]);
  expect(site.requests.slice(before)).not.toContain("/clean");
  await ask("POST", `${RUNS}/${run.id}/cancel`);

  const db = await server.database();
  await subscribe(db, buyer, ENDED);
  expect(problemOf(await ask("POST", RUNS, { url: site.url("/clean") }))).toEqual([403, "/api#not-entitled"]);
  expect((await ask("DELETE", `${RUNS}/${run.id}`)).status).toBe(204);

  await subscribe(db, buyer, UNPAID);
  expect(problemOf(await ask("GET", RUNS))).toEqual([403, "/api#not-entitled"]);
  expect(problemOf(await ask("POST", RUNS, { url: site.url("/clean") }))).toEqual([403, "/api#not-entitled"]);
});

test("another user's run is reported like a missing one", async () => {
  const [ask, stranger] = [program(await tokenOf(await member())), program(await tokenOf(await member()))];
  const { json: run } = await ask("POST", RUNS, { url: site.url("/silent") });
  for (const [method, rest] of [["GET", ""], ["DELETE", ""], ["POST", "/cancel"], ["GET", "/export.json"], ["GET", "/export.pdf"]] as const) {
    const [foreign, missing] = await Promise.all([run.id, NOBODYS_RUN].map((id) => stranger(method, `${RUNS}/${id}${rest}`)));
    const told = ({ json }: { json: Json }) => ({ ...json, instance: "", reference: "" });
    expect(problemOf(foreign!), `${method} ${rest}`).toEqual([404, "/api#not-found"]);
    expect(told(foreign!)).toEqual(told(missing!));
  }
  expect((await ask("POST", `${RUNS}/${run.id}/cancel`)).json.status).toBe("canceled");
});

test("a token is limited to its scopes", async () => {
  const browser = await member();
  const reader = program(await tokenOf(browser, { "runs:read": "yes" }));
  const writer = program(await tokenOf(browser, { "runs:write": "yes" }));
  const request = { url: site.url("/silent") };
  for (const [ask, method, address, scope] of [
    [reader, "POST", RUNS, "runs:write"],
    [reader, "DELETE", `${RUNS}/${NOBODYS_RUN}`, "runs:write"],
    [writer, "GET", RUNS, "runs:read"],
    [writer, "GET", `${RUNS}/${NOBODYS_RUN}/export.csv`, "runs:read"],
  ] as const) {
    const answer = await ask(method, address, method === "POST" ? request : undefined);
    expect(problemOf(answer)).toEqual([403, "/api#insufficient-scope"]);
    expect(answer.headers.get("WWW-Authenticate")).toContain(`scope="${scope}"`);
  }
  expect((await reader("GET", RUNS)).json.runs).toEqual([]);
});

test("an invalid request is refused with the reason, and has no effect", async () => {
  const ask = program(await tokenOf(await member()));
  const wrong = async (...[method, address, body, headers]: Parameters<Ask>) => problemOf(await ask(method, address, body, headers));
  expect(await wrong("POST", RUNS, "{")).toEqual([400, "/api#invalid-json"]);
  expect(await wrong("POST", RUNS, "url=x", { "Content-Type": "application/x-www-form-urlencoded" })).toEqual([415, "/api#unsupported-media-type"]);
  const tooLarge = await ask("POST", RUNS, `"${"x".repeat(70_000)}"`);
  expect(problemOf(tooLarge)).toEqual([413, "/api#too-large"]);
  expect(tooLarge.json.instance).toBe(RUNS);
  expect(await wrong("POST", RUNS, [])).toEqual([422, "/api#invalid"]);
  expect(await wrong("POST", RUNS, { url: site.url("/clean") }, { "Idempotency-Key": "x".repeat(256) })).toEqual([422, "/api#invalid"]);
  expect(await wrong("GET", "/api/v2/runs")).toEqual([404, "/api#not-found"]);
  expect(await wrong("PUT", "/api/v1/nothing")).toEqual([404, "/api#not-found"]);
  for (const method of ["PUT", "PATCH", "DELETE", "OPTIONS"]) {
    const answer = await fetch(`${server.origin}${RUNS}`, { method });
    expect([answer.status, answer.headers.get("Content-Type")], method).toEqual([405, "application/problem+json"]);
    expect(answer.headers.get("Allow"), method).toBe("GET, HEAD, POST");
  }

  const entries = await ask("POST", RUNS, { url: "ftp://example.com", scope: "all", maxPages: 0, pages: 3 }, { "Accept-Language": "en" });
  expect(entries.headers.get("Content-Language")).toBe("en");
  expect(entries.json.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(["#/url", "#/scope", "#/maxPages", "#/pages"]);
  expect(entries.json.title).toBe("One or more entries are wrong");
  const named = await ask("POST", RUNS, { url: site.url("/clean"), access: { kind: "cookie", cookie: "a=1", "in/side": 1 }, "a/b": 1, "m~n": 1, "~1": 1, "ä %": 1 });
  expect(new Set(named.json.errors.map(({ pointer }: { pointer: string }) => pointer))).toEqual(new Set(["#/access", "#/a~1b", "#/m~0n", "#/~01", "#/%C3%A4%20%25"]));
  const query = await ask("GET", `${RUNS}?limit=101&before=x&status=done&sort=url`);
  expect(query.json.errors.map(({ parameter }: { parameter: string }) => parameter)).toEqual(["limit", "before", "status", "sort"]);
  expect((await ask("POST", RUNS, { url: site.url("/clean"), maxPages: 3 })).json.errors).toMatchObject([{ pointer: "#/maxPages" }]);
  expect((await ask("GET", RUNS)).json.runs).toEqual([]);
});

test("a program accepts what a scan found, and ends it; sent twice, it stays one", async () => {
  const [browser, stranger] = [await member(), await member()];
  const [ask, other] = [program(await tokenOf(browser)), program(await tokenOf(stranger))];
  const { json: started } = await ask("POST", RUNS, { url: site.url("/barriers") });
  const run = await whenOver(ask, started.id);
  const report = (await ask("GET", run.links.exports.json)).json;
  const [found] = report.pages[0].violations.filter(({ nodes }: { nodes: unknown[] }) => nodes.length > 0);
  const ACCEPTANCES = `${RUNS}/${run.id}/acceptances`;
  const request = { scope: "element", ruleId: found.ruleId, pageUrl: report.pages[0].url, target: found.nodes[0].target, kind: "not_a_barrier", reason: "Decoration" };

  const wrong = async (body: object) => (await ask("POST", ACCEPTANCES, body)).json.errors.map(({ pointer }: { pointer: string }) => pointer);
  expect(await wrong({ scope: "page", ruleId: 1, kind: "no", lastDay: "2020-01-01", reason: " ", more: 1 })).toEqual(["#/scope", "#/ruleId", "#/kind", "#/lastDay", "#/reason", "#/more"]);
  expect(await wrong({ scope: "component", ruleId: found.ruleId, kind: "other", reason: "no" })).toEqual(["#/pageUrl", "#/target", "#/lastDay"]);
  expect(await wrong({ ...request, ruleId: "no-such-rule" })).toEqual(["#/ruleId"]);
  expect(await wrong({ ...request, target: ["#nowhere"] })).toEqual(["#/target"]);
  const notASelector = await ask("POST", ACCEPTANCES, { ...request, target: [1] });
  expect(notASelector.json.errors).toEqual([expect.objectContaining({ detail: expect.not.stringContaining("entry.") })]);
  expect((await ask("GET", ACCEPTANCES)).json).toEqual({ acceptances: [] });

  const created = await ask("POST", ACCEPTANCES, request);
  expect([created.status, created.json]).toMatchObject([201, { scope: "element", ruleId: found.ruleId, kind: "not_a_barrier", lastDay: null, by: browser.person.name, ended: null, holds: true, elements: 1, pages: 1 }]);
  const again = await ask("POST", ACCEPTANCES, request);
  expect([again.status, again.json]).toEqual([200, created.json]);
  expect((await ask("GET", `${RUNS}/${run.id}`)).json.stats).toMatchObject({ accepted: 1, elements: run.stats.elements - 1 });
  const replaced = await ask("POST", ACCEPTANCES, { ...request, reason: "A pattern" });
  expect(replaced.status).toBe(201);
  expect((await ask("GET", ACCEPTANCES)).json.acceptances).toMatchObject([{ id: replaced.json.id, holds: true }, { id: created.json.id, holds: false, ended: { by: browser.person.name } }]);

  expect(problemOf(await other("POST", ACCEPTANCES, request))).toEqual([404, "/api#not-found"]);
  expect(problemOf(await other("DELETE", `/api/v1/acceptances/${replaced.json.id}`))).toEqual([404, "/api#not-found"]);
  const reader = program(await tokenOf(browser, { "runs:read": "yes" }));
  expect(problemOf(await reader("DELETE", `/api/v1/acceptances/${replaced.json.id}`))).toEqual([403, "/api#insufficient-scope"]);
  expect(problemOf(await reader("POST", ACCEPTANCES, request))).toEqual([403, "/api#insufficient-scope"]);
  const ends = [await ask("DELETE", `/api/v1/acceptances/${replaced.json.id}`), await ask("DELETE", `/api/v1/acceptances/${replaced.json.id}`)];
  expect(ends.map(({ status }) => status)).toEqual([204, 204]);
  expect((await ask("GET", `${RUNS}/${run.id}`)).json.stats).toMatchObject({ accepted: 0, elements: run.stats.elements });
});

test("the type of every problem links to its documentation, in both languages", async () => {
  for (const language of ["de", "en"] as const) {
    const page = await visitorOf(server, { language }).get("/api");
    expect(page.status).toBe(200);
    for (const kind of PROBLEM_KINDS) expect(page.text, kind).toContain(`id="${kind}"`);
    expect(page.text).toContain('href="/openapi.json"');
  }
  const description = await fetch(`${server.origin}/openapi.json`);
  expect(await description.json()).toEqual(contract.document);
});
