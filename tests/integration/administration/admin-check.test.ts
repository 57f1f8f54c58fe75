import { chmodSync, chownSync, readdirSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { startAuth0 } from "../../doubles/auth0";
import { startReleases } from "../../doubles/releases";
import { startSmtp } from "../../doubles/smtp";
import { freshFolder } from "../../support/servers/fresh-folder";
import { runAdmin } from "../../support/servers/run-admin";
import { SELF_SIGNED } from "../../support/servers/self-signed";
import { newDatabase } from "../../support/database/server-database";

const NOBODY = 65_534;

/** Name and result of each line. */
const linesOf = (out: string) => new Map(out.trimEnd().split("\n").map((line) => [line.slice(0, 14).trim(), line.slice(15)]));

test("everything is tested, a line each: mail, sign-in and browser really work", async () => {
  const folder = freshFolder();
  await (await newDatabase({ dataDir: folder })).destroy();
  const smtp = await startSmtp();
  onTestFinished(() => smtp.close());
  const releases = await startReleases();
  onTestFinished(() => releases.close());
  const client = { clientId: "rampe-client", clientSecret: "a-secret-of-the-client" };
  const provider = await startAuth0({ ...SELF_SIGNED, ...client });
  onTestFinished(() => provider.close());
  const certificate = path.join(folder, "provider.pem");
  writeFileSync(certificate, SELF_SIGNED.cert);
  const env = {
    ...{ DATA_DIR: folder, SMTP_URL: smtp.url, CONTACT_TO: "ops@example.org", DISK_MIN_FREE_MB: "0", NODE_EXTRA_CA_CERTS: certificate, RELEASES_URL: releases.url },
    ...{ AUTH0_DOMAIN: provider.domain, AUTH0_CLIENT_ID: client.clientId, AUTH0_CLIENT_SECRET: client.clientSecret },
  };
  const { status, out, err } = await runAdmin(["check", "--to", "me@example.org"], env);
  expect([status, err], out).toEqual([0, ""]);
  const lines = linesOf(out);
  expect([...lines.keys()]).toEqual(["configuration", "data folder", "pictures", "backups", "mail", "payments", "sign-in", "browser", "disk", "clock", "version"]);
  for (const [name, result] of lines) expect(result, name).toMatch(["pictures", "backups", "payments"].includes(name) ? /^not set/ : /^ok/);
  expect(lines.get("browser")?.includes("without its sandbox")).toBe(process.getuid?.() === 0);
  expect(lines.get("clock")).toContain("that of the sign-in service");
  expect(lines.get("version")).toContain("a newer version is available: 9.0.0, https://example.org/rampe-9.0.0");
  expect(smtp.received.map(({ to }) => to)).toEqual(["me@example.org"]);
  const wrong = await runAdmin(["check"], { ...env, AUTH0_CLIENT_SECRET: "of another client" });
  expect(linesOf(wrong.out).get("sign-in")).toBe("failed: the provider refuses client and secret (access_denied): correct AUTH0_CLIENT_SECRET");
});

test("what fails is named with what to do, and the exit status is 1", async () => {
  const env = { DATA_DIR: freshFolder(), SMTP_URL: "smtp://127.0.0.1:9", CONTACT_TO: "ops@example.org", SMPT_URL: "x", CHROME_PATH: "/no/such/browser" };
  const { status, out, err } = await runAdmin(["check"], env);
  expect([status, err]).toEqual([1, ""]);
  const lines = linesOf(out);
  expect(lines.get("configuration")).toBe("failed: SMPT_URL is set, but there is no such setting: do you mean SMTP_URL?");
  expect(lines.get("mail")).toMatch(/^failed: the mail server does not answer/);
  expect(lines.get("browser")).toMatch(/^failed: .*CHROME_PATH/);
  expect(lines.get("sign-in")).toMatch(/^not set/);

  const unusable = await runAdmin(["check"], { PORT: "http" });
  expect([unusable.status, unusable.out]).toEqual([1, expect.stringMatching(/^configuration +failed: PORT is unusable: .*\n$/)]);
  for (const [name, value] of [["BACKUP_KEY_FILE", "/no/such/key"], ["SCAN_ALLOW_PRIVATE", "10.0.0.0/33"]] as const) {
    const refused = await runAdmin(["check"], { ...env, [name]: value });
    expect([refused.status, refused.out]).toEqual([1, expect.stringContaining(`failed: ${name} is unusable`)]);
  }
  expect((await runAdmin(["check", "--to"], {})).err).toContain("check [--to ADDRESS]");
});

/** Whether every user of this machine may enter a folder and its parents. */
function canOthersReach(folder: string): boolean {
  const parent = path.dirname(folder);
  return (statSync(folder).mode & 0o001) !== 0 && (parent === folder || canOthersReach(parent));
}

test("a system that forbids the browser its sandbox is named, and no other browser is asked for", async () => {
  const folder = freshFolder();
  const browser = path.join(folder, "chromium-headless-shell");
  writeFileSync(browser, '#!/bin/sh\n[ "$1" = --version ] || { echo "No usable sandbox!" >&2; exit 1; }\n', { mode: 0o755 });
  const { out } = await runAdmin(["check"], { DATA_DIR: path.join(folder, "data"), CHROME_PATH: browser });
  expect(out).toMatch(/^browser {8}failed: this system forbids the browser its sandbox .*userns/m);
});

test("a file of another user in the data folder is named, by the check and at the start", async () => {
  const folder = freshFolder();
  await (await newDatabase({ dataDir: folder })).destroy();
  writeFileSync(path.join(folder, "session-secret"), "a secret that only its owner may read, who is somebody else\n");
  chmodSync(path.join(folder, "session-secret"), 0o000);
  const isRoot = process.getuid?.() === 0;
  // If only the owner can read the clone, no other user can run the program, and the test has no subject.
  if (isRoot && !canOthersReach(fileURLToPath(new URL("../../../build/server", import.meta.url)))) return;
  const others = [folder, ...readdirSync(folder).filter((name) => name !== "session-secret").map((name) => path.join(folder, name))];
  if (isRoot) for (const place of others) chownSync(place, NOBODY, NOBODY);
  const problem = new RegExp(`DATA_DIR is unusable: ${folder}/session-secret cannot be read \\(EACCES${isRoot ? `; it belongs to user 0, and this is user ${NOBODY}: chown -R ${NOBODY} ${folder}` : ""}\\)\\.`);
  expect((await runAdmin(["check"], { DATA_DIR: folder, HOME: folder }, { uid: NOBODY })).out).toMatch(problem);
  const start = await runAdmin([], { DATA_DIR: folder, HOME: folder, PORT: "0" }, { uid: NOBODY, program: "serve.js" });
  expect([start.status, start.err]).toEqual([1, expect.stringMatching(new RegExp(`^${problem.source}\\n$`))]);
});
