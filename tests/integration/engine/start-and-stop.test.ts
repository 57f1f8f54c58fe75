import { createServer, type AddressInfo } from "node:net";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { InvalidSetting, readEnv } from "~/platform/env.server";
import { openDemoSite } from "../../support/scan/demo-site";
import { freshFolder } from "../../support/servers/fresh-folder";
import { runServer, startServer, type TestServer } from "../../support/servers/server";
import { withDatabase } from "../../support/database/server-database";
import type { Site } from "../../support/scan/site";

describe("an invalid value stops the start with one line that names the variable", () => {
  const UNUSABLE = {
    NODE_ENV: "prod",
    LOG_LEVEL: "loud",
    PORT: "http",
    HOST: "999.999.999.999",
    BASE_URL: "rampe.example",
    DATA_DIR: "/dev/null/data",
    DATABASE_URL: "file:/dev/null/database",
    STORAGE_URL: "file:/dev/null/pictures",
    // Unusable without a PostgreSQL database.
    ROLE: "web",
    BACKUP_KEEP: "none",
    BACKUP_KEY_FILE: "/no/such/key",
    UPDATE_COPY: "perhaps",
    SESSION_SECRET: "short",
    SESSION_DAYS: "forever",
    TRUST_PROXY: "yes",
    STRIPE_SECRET_KEY: "pk_test_1",
    STRIPE_WEBHOOK_SECRET: "secret",
    BILLING: "stripe",
    REGISTRATION: "perhaps",
    SMTP_URL: "mail.example",
    MAIL_FROM: "nobody",
    CONTACT_TO: "nobody",
    SCAN_CONCURRENCY: "many",
    SCAN_MAX_PAGES: "all",
    SCAN_SITE_MINUTES: "for ever",
    SCAN_WAITING_PER_ACCOUNT: "any",
    EVIDENCE_MAX_MB: "half",
    DISK_MIN_FREE_MB: "a little",
    SCAN_PAGE_SECONDS: "half a minute",
    SCAN_ALLOW_PRIVATE: "10.0.0.0/33",
    SCAN_USER_AGENT: "Prüfer",
    FREE_CHECKS_PER_HOUR: "unlimited",
    TRIAL_SCANS: "some",
    RETENTION_DAYS: "for ever",
    OPERATOR_EMAIL: "nobody",
    OPERATOR_TERMS_URL: "our terms",
    OPERATOR_WITHDRAWAL_URL: "our terms",
    OPERATOR_VAT: "19 %",
    SOURCE_URL: "github.com/rampe",
    RELEASES_URL: "releases.example",
    METRICS_TOKEN: "short",
    CHROME_PATH: "/no/such/browser",
    OIDC_ISSUER: "id.example",
    OIDC_CLIENT_ID: "id",
    OIDC_CLIENT_SECRET: "secret",
    AUTH0_DOMAIN: "tenant.example",
    AUTH0_CLIENT_ID: "id",
    AUTH0_CLIENT_SECRET: "secret",
  };
  /** Settings that accept any text; a folder for archives may be missing temporarily. */
  const FREE = ["BACKUP_DIR", "AUTH0_AUDIENCE", "AUTH0_ORGANIZATION", "OPERATOR_NAME", "OPERATOR_ADDRESS", "OPERATOR_PHONE"];

  /** Settings that only the start can test, not the configuration alone; and the port as an example of all others. */
  const AT_START = ["PORT", "HOST", "DATA_DIR", "DATABASE_URL", "STORAGE_URL", "BACKUP_KEY_FILE", "SCAN_ALLOW_PRIVATE", "CHROME_PATH"] as const;
  const isAtStart = (name: string) => AT_START.some((each) => each === name);

  test.each(Object.entries(UNUSABLE).filter(([name]) => !isAtStart(name)))("%s=%s", (name, value) => {
    const read = () => readEnv({ [name]: value });
    expect(read).toThrow(InvalidSetting);
    expect(read).toThrow(new RegExp(`^[^\\n]*${name}[^\\n]*$`));
  });

  test.concurrent.each(AT_START.map((name) => [name, UNUSABLE[name]] as const))("at the start: %s=%s", async (name, value) => {
    const { code, out, err } = await runServer({ [name]: value });
    expect(code).toBe(1);
    expect(out).not.toContain("ready");
    expect(err).toMatch(/^[^\n]+\n$/);
    expect(err).toContain(name);
  });

  test("every variable is covered", () => {
    // Only upper-case names are variables; values computed from several variables have our own names.
    const variables = Object.keys(readEnv({ NODE_ENV: "test" })).filter((name) => name === name.toUpperCase());
    expect([...Object.keys(UNUSABLE), ...FREE].sort()).toEqual(variables.sort());
  });

  test("a port that is taken", async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void other.close());
    const { port } = other.address() as AddressInfo;
    const { code, err } = await runServer({ PORT: String(port) });
    expect(code).toBe(1);
    expect(err).toMatch(new RegExp(`^[^\\n]*PORT[^\\n]*${port}[^\\n]*\\n$`));
  });

  test("in the file .env", async () => {
    const folder = freshFolder();
    writeFileSync(path.join(folder, ".env"), "SESSION_DAYS=never\n");
    expect(await runServer({}, folder)).toMatchObject({ code: 1, err: expect.stringMatching(/^SESSION_DAYS .*\n$/) });
  });

  test("an empty value counts as unset", async () => {
    const server = await startServer({ env: { SESSION_DAYS: "", BASE_URL: "", SCAN_ALLOW_PRIVATE: "" } });
    expect(await server.stop()).toMatchObject({ code: 0 });
  });
});

describe("stopping", () => {
  let site: Site;
  beforeAll(async () => {
    site = await openDemoSite();
  });
  afterAll(() => site.close());

  const startHere = (dataDir: string) => startServer({ dataDir, env: { SCAN_ALLOW_PRIVATE: `127.0.0.1:${site.port}` } });

  async function order(server: TestServer, url: string): Promise<string> {
    const answer = await fetch(`${server.origin}/?index`, { method: "POST", body: new URLSearchParams({ url }), redirect: "manual" });
    return answer.headers.get("location") ?? "none";
  }

  /** Stored state of the only run, and its job. */
  const stored = (dataDir: string) =>
    withDatabase({ dataDir }, (db) =>
      db
        .selectFrom("run")
        .innerJoin("job", "job.run_id", "run.id")
        .select(["run.status", "job.state", "job.leased_by as holder"])
        .executeTakeFirst(),
    );

  test("an idle server stops at once", async () => {
    const server = await startHere(freshFolder());
    const { code, ms } = await server.stop();
    expect(code).toBe(0);
    expect(ms).toBeLessThan(2_000);
  });

  test("a service manager is told of start and stop, and gets signs of life meanwhile", async () => {
    const folder = freshFolder();
    const told = path.join(folder, "told");
    writeFileSync(path.join(folder, "systemd-notify"), `#!/bin/sh\necho "$*" >>${told}\n`, { mode: 0o755 });
    const env = { PATH: `${folder}:${process.env["PATH"]}`, NOTIFY_SOCKET: path.join(folder, "socket"), WATCHDOG_USEC: "600000" };
    const server = await startServer({ browser: false, env });
    const lines = () => readFileSync(told, "utf8").trim().split("\n");
    await expect.poll(() => existsSync(told) && lines().at(-1)).toBe("WATCHDOG=1");
    expect(lines()[0]).toMatch(/^READY=1 STATUS=Ready at http:/);
    await server.stop();
    await expect.poll(() => lines().at(-1)).toBe("STOPPING=1");
  });

  test("a running check is put back within 10 s, and the next start finishes it", async () => {
    const dataDir = freshFolder();
    const server = await startHere(dataDir);
    const asked = site.requests.length;
    const address = await order(server, site.url("/slow?seconds=5"));
    await expect.poll(() => site.requests.length).toBeGreaterThan(asked);
    expect(await stored(dataDir)).toMatchObject({ status: "running", state: "running" });
    const waiting = fetch(`${server.origin}${address}`).then(
      ({ status }) => status,
      () => "hung up",
    );

    const { code, ms } = await server.stop();
    expect(code).toBe(0);
    expect(ms).toBeLessThan(10_000);
    expect(await stored(dataDir)).toEqual({ status: "queued", state: "queued", holder: null });
    expect(server.log().filter(({ level }) => (level as number) >= 50)).toEqual([]);
    expect(await waiting).toBeDefined();

    const next = await startHere(dataDir);
    onTestFinished(async () => void (await next.stop()));
    await expect.poll(() => stored(dataDir)).toMatchObject({ status: "succeeded", state: "done" });
    expect(await (await fetch(`${next.origin}${address}`)).text()).toContain('id="rule-image-alt"');
  });

  test("new requests are refused while a check is being finished", async () => {
    const server = await startHere(freshFolder());
    const asked = site.requests.length;
    await order(server, site.url("/slow?seconds=5"));
    await expect.poll(() => site.requests.length).toBeGreaterThan(asked);
    const stopping = server.stop();
    await server.logged(({ msg }) => msg === "stopping");
    await expect(fetch(server.origin)).rejects.toThrow();
    expect((await stopping).code).toBe(0);
  });
});
