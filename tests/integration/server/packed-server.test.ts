import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { openDemoSite } from "../../support/scan/demo-site";
import { startServer } from "../../support/servers/server";

/** Folder outside of the repository, without its packages. */
let folder = "";
let packed = "";

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), "rampe-packed-"));
  packed = path.join(folder, "rampe");
  execFileSync(process.execPath, ["scripts/deploy/pack.mjs", "--folder", packed]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("the packed server checks a page with nothing but what is packed", async () => {
  const site = await openDemoSite();
  onTestFinished(() => site.close());
  const server = await startServer({ program: path.join(packed, "build/server/serve.js"), env: { SCAN_ALLOW_PRIVATE: `127.0.0.1:${site.port}` } });
  onTestFinished(async () => void (await server.stop()));
  const body = new URLSearchParams({ url: site.url("/slow?seconds=0") });
  const { url } = await fetch(`${server.origin}/?index`, { method: "POST", body });
  await expect.poll(async () => (await fetch(url)).text()).toContain('id="rule-image-alt"');

  const health = (port: string) => spawnSync(process.execPath, ["scripts/deploy/health.mjs"], { cwd: packed, env: { ...process.env, PORT: port } }).status;
  expect(health(new URL(server.origin).port)).toBe(0);
  expect(health("1")).toBe(1);
});

test("licences, change log and the operator's commands are packed; sources are not", () => {
  for (const name of ["THIRD-PARTY-LICENSES.txt", "CHANGELOG.md", "LICENSE", "README.md", "scripts/deploy/install.sh"]) {
    expect(existsSync(path.join(packed, name)), name).toBe(true);
  }
  expect(readdirSync(packed)).not.toContain("tests");
  const { version, scripts } = JSON.parse(readFileSync(path.join(packed, "package.json"), "utf8")) as { version: string; scripts: Record<string, string> };
  expect(version).toMatch(/^\d+\.\d+\.\d+/);
  for (const command of Object.values(scripts)) expect(existsSync(path.join(packed, command.split(" ")[1] ?? "")), command).toBe(true);
  expect(spawnSync(process.execPath, ["build/server/admin.js"], { cwd: packed, encoding: "utf8" }).stderr).toContain("reset-password");
});

test("the install script lays out program, settings, service and command; an upgrade keeps settings and data", () => {
  const root = path.join(folder, "root");
  const at = (name: string) => path.join(root, name);
  const install = () => execFileSync(path.join(packed, "scripts/deploy/install.sh"), { env: { ...process.env, DESTDIR: root }, stdio: "pipe" });
  install();
  expect(readFileSync(at("etc/systemd/system/rampe.service"), "utf8")).toContain(`ExecStart=${process.execPath} --env-file=/etc/rampe/rampe.env`);
  expect(statSync(at("usr/local/sbin/rampe-admin")).mode & 0o777).toBe(0o755);
  expect(statSync(at("etc/rampe/rampe.env")).mode & 0o777).toBe(0o640);
  for (const name of ["var/lib/rampe", "var/backups/rampe"]) expect(statSync(at(name)).mode & 0o777, name).toBe(0o700);
  expect(existsSync(at("opt/rampe/build/server/serve.js"))).toBe(true);

  writeFileSync(at("etc/rampe/rampe.env"), "BASE_URL=https://rampe.example\n");
  writeFileSync(at("var/lib/rampe/rampe.txt"), "data");
  writeFileSync(at("opt/rampe/build/of-the-old-version.js"), "");
  install();
  expect(readFileSync(at("etc/rampe/rampe.env"), "utf8")).toBe("BASE_URL=https://rampe.example\n");
  expect(readFileSync(at("var/lib/rampe/rampe.txt"), "utf8")).toBe("data");
  expect(existsSync(at("opt/rampe/build/of-the-old-version.js"))).toBe(false);
  expect(readdirSync(at("opt"))).toEqual(["rampe"]);
});

test("the install script says why it refuses what is not packed, or packed for another Node", () => {
  const script = path.join(packed, "scripts/deploy/install.sh");
  const root = path.join(folder, "refused");
  const install = (program: string, env: Record<string, string> = {}) =>
    spawnSync(program, { encoding: "utf8", env: { ...process.env, DESTDIR: root, ...env } });
  expect(install("scripts/deploy/install.sh")).toMatchObject({ status: 1, stderr: expect.stringContaining("pack-server") });

  const other = mkdtempSync(path.join(folder, "other-"));
  writeFileSync(path.join(other, "node"), '#!/bin/sh\n[ "$1" = --version ] && echo v99.0.0\n[ "$1" = --version ]\n', { mode: 0o755 });
  expect(install(script, { PATH: `${other}:/usr/bin:/bin` })).toMatchObject({ status: 1, stderr: expect.stringContaining("v99.0.0") });
  expect(existsSync(root)).toBe(false);
});
