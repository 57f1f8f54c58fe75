import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { setUpCatalogue } from "~/billing/plans/catalogue.server";
import { readEnv } from "~/platform/env.server";
import { lineOf, type CheckResult } from "~/server/checks/check.server";
import { checkBackupFolder, checkDataFolder } from "~/server/checks/folder-checks.server";
import { checkClock, checkDisk } from "~/server/checks/machine-checks.server";
import { VERSION } from "~/platform/product-name.server";
import { checkMail } from "~/server/checks/mail-check.server";
import { checkRelease } from "~/server/checks/release-check.server";
import { checkIssuer } from "~/server/checks/sign-in-check.server";
import { checkStripe } from "~/server/checks/stripe-check.server";
import { probeWrite } from "~/platform/storage-probe.server";
import { startOpenIdProvider } from "../../doubles/openid-provider";
import { startReleases } from "../../doubles/releases";
import { startSmtp } from "../../doubles/smtp";
import { openCashier, SECRET_KEY } from "../../contracts/open-cashier";
import { freshLocation } from "../../support/database/database";
import { madeUpDisk } from "../../support/database/made-up-disk";
import { envOf, newDatabase } from "../../support/database/server-database";

const told = (result: CheckResult) => lineOf("it", result).replace(/^it +/, "").trimEnd();

async function serverWith(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe("mail", () => {
  async function mail(settings: Record<string, string> = {}, address?: string) {
    const smtp = await startSmtp();
    onTestFinished(() => smtp.close());
    return { smtp, check: async () => told(await checkMail(readEnv({ SMTP_URL: smtp.url, ...settings }), address)) };
  }

  test("one is sent to the operator, or to the given address", async () => {
    const { smtp, check } = await mail({ CONTACT_TO: "ops@example.org" });
    expect(await check()).toBe("ok (a mail was sent to ops@example.org: look whether it arrives)");
    expect(smtp.received).toEqual([expect.objectContaining({ to: "ops@example.org", message: expect.stringContaining("Versand von E-Mails") as unknown })]);
    const other = await mail({ CONTACT_TO: "ops@example.org" }, "me@example.org");
    await other.check();
    expect(other.smtp.received[0]?.to).toBe("me@example.org");
  });

  test("what is wrong is told, with what to do", async () => {
    expect(told(await checkMail(readEnv({})))).toBe("not set (SMTP_URL: mails are kept as files)");
    expect(await (await mail()).check()).toContain("failed: set CONTACT_TO");
    const to = { CONTACT_TO: "ops@example.org" };
    const refusing = await mail(to);
    refusing.smtp.refuseWith = { code: 550, text: "no such user" };
    expect(await refusing.check()).toMatch(/^failed: the mail server refuses the mail: .*no such user/);
    const { smtp } = refusing;
    expect(told(await checkMail(readEnv({ ...to, SMTP_URL: smtp.url.replace("geheim", "falsch") })))).toMatch(/^failed: the mail server refuses user and password/);
    expect(told(await checkMail(readEnv({ ...to, SMTP_URL: "smtp://127.0.0.1:9" })))).toMatch(/^failed: the mail server does not answer/);
  });
});

describe("payments", () => {
  const env = (key = SECRET_KEY, more: Record<string, string> = { STRIPE_WEBHOOK_SECRET: "whsec_1" }) => readEnv({ STRIPE_SECRET_KEY: key, BASE_URL: "https://rampe.example", ...more });

  test("the prices are read with the key", async () => {
    const cashier = await openCashier({ idle: true });
    onTestFinished(() => cashier.close());
    const address = { host: cashier.host, port: cashier.port, protocol: "http" } as const;
    expect(told(await checkStripe(env(), address))).toBe("failed: there are no plans yet: run npm run billing:setup");
    await setUpCatalogue(cashier.stripe);
    expect(told(await checkStripe(env(), address))).toBe("ok (4 prices)");
    expect(told(await checkStripe(env(SECRET_KEY, {}), address))).toMatch(/^failed: STRIPE_WEBHOOK_SECRET is missing, .* to https:\/\/rampe\.example\/webhooks\/stripe, and set the secret of that endpoint$/);
    expect(told(await checkStripe(env("sk_test_another"), address))).toMatch(/^failed: Stripe does not accept STRIPE_SECRET_KEY/);
  });

  test("nothing is asked if nothing is sold", async () => {
    expect(told(await checkStripe(readEnv({})))).toContain("not set (a cashier of its own");
    expect(told(await checkStripe(readEnv({ BILLING: "off" })))).toBe("not set (nothing is sold)");
  });
});

describe("sign-in", () => {
  const client = { clientId: "rampe client", clientSecret: "a secret: with signs & spaces", callback: "https://rampe.example/auth/callback", secretVariable: "OIDC_CLIENT_SECRET" };

  test.each(["client_secret_basic", "client_secret_post"] as const)("client and secret are tried with a made-up code (%s)", async (clientAuthentication) => {
    const provider = await startOpenIdProvider({ ...client, origin: "https://rampe.example", clientAuthentication });
    onTestFinished(() => provider.close());
    const check = async (more: Partial<typeof client> = {}) => told(await checkIssuer(provider.issuer, "OIDC_ISSUER", { ...client, ...more }));
    expect(await check()).toBe("ok");
    expect(await check({ clientSecret: "of another client" })).toBe("failed: the provider refuses client and secret (invalid_client): correct OIDC_CLIENT_SECRET");
    expect(await check({ clientId: "unknown" })).toMatch(/^failed: the provider refuses client and secret/);
    provider.faults.description = ({ token_endpoint: _, ...rest }) => rest;
    expect(await check()).toMatch(/^failed: .* names no token endpoint: see whether OIDC_ISSUER is right$/);
  });

  test.each([
    [403, { error: "invalid_grant" }, "ok"],
    [401, { error: "access_denied" }, "failed: the provider refuses client and secret (access_denied)"],
    [401, "Unauthorized", "failed: the provider refuses client and secret (status 401)"],
    [400, { error: "invalid_request" }, "ok (client and secret could not be tried: invalid_request)"],
    [500, "", "failed: the provider's token endpoint does not answer as it should"],
  ])("its answer %i %j is told as %s", async (status, body, words) => {
    const origin = await serverWith((request, response) => {
      const isToken = request.url === "/token";
      response.writeHead(isToken ? status : 200, { "Content-Type": "application/json" });
      response.end(JSON.stringify(isToken ? body : { issuer: origin, token_endpoint: `${origin}/token` }));
    });
    expect(told(await checkIssuer(origin, "OIDC_ISSUER", client)).slice(0, words.length)).toBe(words);
  });

  test("the discovery document of the provider is read", async () => {
    const origin = await serverWith((_request, response) => void response.setHeader("Content-Type", "application/json").end(JSON.stringify({ issuer: `${origin}/`, token_endpoint: `${origin}/token`, access_token: "x" })));
    expect(told(await checkIssuer(`${origin}/`, "OIDC_ISSUER", client))).toBe("ok");
    expect(told(await checkIssuer(`${origin}/realm`, "OIDC_ISSUER", client))).toMatch(/^failed: .*another issuer.*correct OIDC_ISSUER$/);
    const broken = await serverWith((_request, response) => void response.writeHead(500).end());
    expect(told(await checkIssuer(broken, "OIDC_ISSUER", client))).toMatch(/^failed: .* answers with 500: see whether OIDC_ISSUER is right$/);
    const text = await serverWith((_request, response) => void response.end("<html>"));
    expect(told(await checkIssuer(text, "OIDC_ISSUER", client))).toMatch(/^failed: .*does not answer as it should/);
    expect(told(await checkIssuer("http://127.0.0.1:9/", "AUTH0_DOMAIN", client))).toMatch(/^failed: .*does not answer as it should: see whether AUTH0_DOMAIN is right/);
    expect(told(await checkIssuer(undefined, "AUTH0_DOMAIN", client))).toBe("not set (accounts live here)");
  });
});

describe("version", () => {
  test("a newer one is told with its page, and what is wrong with the address", async () => {
    expect(told(await checkRelease(readEnv({})))).toBe(`not set (RELEASES_URL: nobody is asked whether ${VERSION} is the newest)`);
    const releases = await startReleases();
    onTestFinished(() => releases.close());
    const check = async () => told(await checkRelease(readEnv({ RELEASES_URL: releases.url })));
    releases.answer = { version: VERSION, url: "https://example.org/" };
    expect(await check()).toBe(`ok (${VERSION} is the newest)`);
    releases.answer = { version: "9.0.0", url: "https://example.org/9" };
    expect(await check()).toBe(`ok (${VERSION}; a newer version is available: 9.0.0, https://example.org/9)`);
    releases.answer = "<html>";
    expect(await check()).toMatch(/^failed: see whether RELEASES_URL is right and this server reaches it: it names no version: it wants /);
  });
});

describe("folders", () => {
  test("a data folder that the first start cannot create is told", () => {
    const { dataDir } = freshLocation();
    const check = (name: string) => told(checkDataFolder(readEnv({ DATA_DIR: path.join(dataDir, name) })));
    expect(check("")).toBe(`ok (${dataDir})`);
    expect(check("var/rampe")).toBe(`ok (${dataDir}/var/rampe is created by the first start)`);
    expect(existsSync(path.join(dataDir, "var"))).toBe(false);
    writeFileSync(path.join(dataDir, "file"), "");
    expect(check("file/rampe")).toBe(`failed: ${dataDir}/file/rampe does not exist, and this user cannot create it in ${dataDir}/file: create it for this user, or correct DATA_DIR`);
    // Root can write everywhere.
    if (process.getuid?.() === 0) return;
    chmodSync(dataDir, 0o500);
    expect(check("var/rampe")).toMatch(/^failed: .* this user cannot create it in /);
    chmodSync(dataDir, 0o700);
  });

  test("the folder of the backups is tried", () => {
    expect(told(checkBackupFolder(readEnv({})))).toBe("not set (BACKUP_DIR: the server makes no backups)");
    const { dataDir: disk } = freshLocation();
    const check = (name: string) => told(checkBackupFolder(readEnv({ BACKUP_DIR: path.join(disk, name) })));
    expect(check("")).toBe(`ok (${disk})`);
    expect(readdirSync(disk)).toEqual([]);
    expect(check("archives")).toBe(`ok (${disk}/archives is created by the first backup)`);
    expect(check("none/archives")).toBe(`failed: ${disk}/none/archives can hold no archives: mount its disk, or create ${disk}/none`);
    writeFileSync(path.join(disk, "file"), "");
    expect(check("file")).toMatch(/^failed: .*\/file can hold no archives: make it a folder that this user can write, or correct BACKUP_DIR \(ENOTDIR/);
    expect(check("file/archives")).toMatch(/^failed: .* this user cannot create it/);
  });
});

describe("disk and clock", () => {
  test("too little free space is told", async () => {
    const location = freshLocation();
    expect(told(await checkDisk({ ...envOf(location), DISK_MIN_FREE_MB: 0 }))).toMatch(/^ok \(\d+ MB are free in /);
    expect(told(await checkDisk({ ...envOf(location), DISK_MIN_FREE_MB: 90_000_000 }))).toMatch(/^failed: \d+ MB are free .*make room, or lower DISK_MIN_FREE_MB$/);
  });

  test("less free space than a copy of the database takes is told, if copies are made", async () => {
    const location = freshLocation();
    await (await newDatabase(location)).destroy();
    madeUpDisk({ freeBytes: 40_000, totalBytes: 100e9 });
    const env = { ...envOf(location), DISK_MIN_FREE_MB: 0 };
    expect(told(await checkDisk(env))).toMatch(/^failed: 0 MB are free in .*, but a backup or an update copies the database of \d MB: make room, or lower EVIDENCE_MAX_MB$/);
    expect(told(await checkDisk({ ...env, UPDATE_COPY: "off" }))).toMatch(/^ok/);
    expect(told(await checkDisk({ ...env, UPDATE_COPY: "off", BACKUP_DIR: "/mnt/backups" }))).toMatch(/^failed/);
  });

  test("before the first start, the disk is that of the nearest folder that exists", async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "rampe-check-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const env = readEnv({ DATA_DIR: path.join(folder, "var", "rampe"), DISK_MIN_FREE_MB: "0" });
    expect(told(await checkDisk(env))).toMatch(new RegExp(`^ok \\(\\d+ MB are free in ${folder}\\)$`));
    expect(existsSync(path.join(folder, "var"))).toBe(false);
  });

  test("a clock that went back is told, and one that differs from the sign-in service", async () => {
    const location = freshLocation();
    const env = envOf(location);
    expect(told(await checkClock(env))).toBe("ok (there is nothing to compare it with yet)");
    const db = await newDatabase(location);
    await probeWrite(db, Date.now() - 30_000);
    await db.destroy();
    expect(told(await checkClock(env))).toBe("ok (the newest entry of the database is 30 s old)");
    expect(told(await checkClock(env, undefined, Date.now() - 600_000))).toMatch(/^failed: it is 5\d\d s behind the newest entry of the database: set it/);
    expect(told(await checkClock(env, new Date(Date.now() - 3_000)))).toBe("ok (compared with that of the sign-in service)");
    expect(told(await checkClock(env, new Date(Date.now() - 120_000)))).toMatch(/^failed: it is 120 s ahead of that of the sign-in service/);
    expect(told(await checkClock(env, new Date(Date.now() + 120_000)))).toMatch(/^failed: it is 120 s behind that/);
  });
});
