import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { register, signIn, visitorOf } from "../../support/accounts/accounts";
import type { FormBrowser } from "../../support/browser/form-browser";
import { mailTo, mailsTo } from "../../support/servers/outbox";
import { startServer, type TestServer } from "../../support/servers/server";

const PASSWORD = "korrekt pferd batterie klammer";
const ANNA = "anna@example.org";
const HOUR_MS = 3_600_000;

const env = { BILLING: "off", TRUST_PROXY: "1" };

let server: TestServer;

beforeAll(async () => {
  server = await startServer({ browser: false, env });
});

afterAll(() => server.stop());

const browserAt = (address: string, at = server): FormBrowser =>
  visitorOf(at, { language: "en", headers: { "X-Forwarded-For": address, "User-Agent": "Firefox/140.0 Windows" } });

async function registered(address: string, email: string, at = server): Promise<FormBrowser> {
  const browser = browserAt(address, at);
  expect((await register(browser, { name: "Ada Lovelace", email, password: PASSWORD })).status).toBe(303);
  return browser;
}

const logIn = (browser: FormBrowser, email: string, password = PASSWORD) => signIn(browser, { email, password });

describe("during an attack", () => {
  test("six users can log in while twelve addresses send six wrong log-ins each", async () => {
    const slow = await startServer({ browser: false, env: { ...env, HASH_MS: "100" } });
    const people = Array.from({ length: 6 }, (_, index) => ({ email: `office${index}@example.org`, address: `192.0.${index}.1` }));
    for (const { email, address } of people) await registered(address, email, slow);
    const attack = Array.from({ length: 72 }, (_, index) =>
      logIn(browserAt(`198.51.${Math.floor(index / 6)}.7`, slow), ANNA, "wrong password"),
    );
    const answers = await Promise.all(people.map(({ email, address }) => logIn(browserAt(address, slow), email)));
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303, 303, 303, 303]);
    await Promise.all(attack);
    await slow.stop();
  });

  test("wrong log-ins from a whole network do not block known browsers; other users of the network can log in by a mail", async () => {
    const anna = await registered("2001:db8:7:1::1", ANNA);
    await anna.post("/logout", {});
    for (let round = 0; round < 50; round += 1) {
      const guesses = Array.from({ length: 6 }, (_, index) => {
        const net = (round * 6 + index).toString(16);
        return logIn(browserAt(`2001:db8:7:${net}::2`), `person${round % 40}@example.org`, "wrong password");
      });
      await Promise.all(guesses);
    }
    const stranger = await logIn(browserAt("2001:db8:7:ffff::1"), ANNA);
    expect(stranger.status).toBe(429);
    expect(Number(stranger.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(stranger.text).toContain("“Forgot your password?” is quicker");
    expect((await logIn(anna, ANNA)).status).toBe(303);

    const forgetful = browserAt("2001:db8:7:ffff::1");
    expect((await forgetful.post("/forgot-password", { email: ANNA })).status).toBe(303);
    const { token } = await mailTo(server.dataDir, ANNA, "reset_password");
    expect((await forgetful.post("/reset-password", { token, password: "ein ganz neues Passwort" })).status).toBe(303);
    expect((await forgetful.get("/profile/general")).status).toBe(200);
  });

  test("guesses at one account from everywhere block unknown browsers, not its owner", async () => {
    const email = "ben@example.org";
    const ben = await registered("203.0.113.1", email);
    await ben.post("/logout", {});
    for (let round = 0; round < 42; round += 1) {
      await Promise.all(Array.from({ length: 5 }, (_, index) => logIn(browserAt(`100.${round}.${index}.1`), email, "wrong password")));
    }
    expect((await logIn(browserAt("100.99.1.1"), email)).status).toBe(429);
    expect((await logIn(ben, email)).status).toBe(303);
  });
});

describe("access ends with its reason", () => {
  test("confirming an address in another browser ends all earlier access that is not kept", async () => {
    const email = "owner@example.org";
    const stranger = await registered("192.0.2.50", email);
    for (const name of ["Stranger's key", "Kept key"]) {
      expect((await stranger.post("/profile/tokens/new", { name, lifetime: "never", "runs:read": "yes" })).status).toBe(303);
    }
    const { link, token } = await mailTo(server.dataDir, email, "verify");
    const owner = browserAt("192.0.2.51");
    const page = await owner.get(link);
    expect(page.status).toBe(200);
    for (const text of ["Stranger&#x27;s key", "Kept key", "Log-ins", "Firefox, Windows", "Access tokens"]) expect(page.text).toContain(text);
    expect((await stranger.get("/profile/general")).status, "opening the link ends nothing").toBe(200);

    const kept = /name="keep" value="([^"]+)"[^]*?<bdi[^>]*>(?:[^<]*)<\/bdi>/g;
    const ids = [...page.text.matchAll(kept)].filter(([text]) => text.includes("Kept key")).map(([, id]) => id ?? "");
    expect(ids).toHaveLength(1);
    const answer = await owner.post("/account/verify", { token, elsewhere: "yes", keep: ids[0] ?? "" });
    expect(answer.status).toBe(303);
    const chosen = answer.location ?? "";
    expect(chosen).toMatch(/^\/reset-password\?token=/);
    expect((await owner.get(chosen)).text).toContain("The following have ended: log-ins: 1, access tokens: 1, shared links: 0, repeated scans: 0");
    expect((await stranger.get("/profile/general")).status).toBe(303);
    expect((await mailTo(server.dataDir, email, "confirmed_elsewhere")).text).toContain("access tokens: 1");

    expect((await logIn(stranger, email)).status, "the stranger's password has ended").toBe(422);
    const password = "ein ganz neues Passwort";
    expect((await owner.post("/reset-password", { token: chosen.split("token=")[1] ?? "", password })).status).toBe(303);
    const tokens = await owner.get("/profile/tokens");
    expect(tokens.text).toContain("Kept key");
    expect(tokens.text).not.toContain("Stranger");
    expect((await owner.get("/account/verify")).text).toContain("is confirmed");
    expect((await browserAt("192.0.2.52").get(link)).location, "a used link").toContain("/login");
  });

  test("a new token requires the password if the log-in is not recent", async () => {
    const email = "late@example.org";
    const browser = await registered("192.0.2.60", email);
    const db = await server.database();
    await db
      .updateTable("session")
      .set((eb) => ({ created_at: eb("created_at", "-", HOUR_MS) }))
      .execute();
    const fields = { name: "Nightly build", lifetime: "90", "runs:read": "yes" };
    expect((await browser.get("/profile/tokens/new")).text).toContain('name="currentPassword"');
    for (const currentPassword of ["", "wrong password"]) {
      const refused = await browser.post("/profile/tokens/new", { ...fields, currentPassword });
      expect(refused.status).toBe(422);
      expect(refused.text).toContain('value="Nightly build"');
    }
    expect((await browser.post("/profile/tokens/new", { ...fields, currentPassword: PASSWORD })).status).toBe(303);
    expect((await browser.get("/profile/tokens")).text).toContain("Nightly build");
  });

  test("a log-in in an unknown browser causes a mail, one in a known browser does not", async () => {
    const email = "told@example.org";
    const browser = await registered("192.0.2.70", email);
    const { token } = await mailTo(server.dataDir, email, "verify");
    await browser.post("/account/verify", { token });
    await logIn(browser, email);
    await browser.post("/logout", {});
    await logIn(browser, email);
    expect(mailsTo(server.dataDir, email)).toHaveLength(1);
    await logIn(browserAt("192.0.2.71"), email);
    const { text } = await mailTo(server.dataDir, email, "signed_in");
    expect(text).toContain("Firefox, Windows");
    expect(text).toContain("/account/sessions");
    expect(mailsTo(server.dataDir, email)).toHaveLength(2);
  });
});
