import { spawnSync } from "node:child_process";
import { copyFileSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { transformWithEsbuild } from "vite";
import { browserCommand } from "../../../scripts/system-packages.mjs";
import { freshFolder } from "../../support/servers/fresh-folder";

const DEBIAN = 'PRETTY_NAME="Debian GNU/Linux 13 (trixie)"\nID=debian\n';
const UBUNTU = 'PRETTY_NAME="Ubuntu 24.04.3 LTS"\nID=ubuntu\nID_LIKE=debian\n';
const SETUP = "scripts/setup.mjs";

test("an old Node can read the beginning of the set-up", async () => {
  const code = readFileSync(SETUP, "utf8");
  const readBy = async (target: string) => (await transformWithEsbuild(code, SETUP, { target, sourcemap: false })).code;
  expect(await readBy("node12.22")).toBe(await readBy("esnext"));
  // Static imports would be loaded before the first output.
  expect(code).not.toMatch(/^(import|export) /m);
});

test.each([
  ["12.22.12", false],
  ["20.18.3", false],
  ["20.19.0", true],
  ["24.1.0", true],
])("the set-up begins only with a Node that is new enough (%s: %s)", (node, begins) => {
  const file = path.join(freshFolder(), "setup.mjs");
  copyFileSync(SETUP, file);
  const pretend = `data:text/javascript,Object.defineProperty(process, "versions", { value: { node: "${node}" } })`;
  const { status, stderr } = spawnSync(process.execPath, ["--import", pretend, file], { encoding: "utf8" });
  expect(status).toBe(1);
  // Its other files are missing.
  expect(stderr).toMatch(begins ? /Cannot find module .*make-ready\.mjs/ : /^Rampe needs Node 20\.19 or newer; this is v[\d.]+\. See https:\/\/nodejs\.org\n$/);
});

test.each([
  ["Debian", DEBIAN, /^sudo apt-get install .* chromium-headless-shell fonts-liberation$/],
  ["Ubuntu, which has no such package", UBUNTU, /^sudo .*npx puppeteer browsers install chrome-headless-shell --install-deps$/],
  ["another system", null, /^npx puppeteer browsers install chrome-headless-shell$/],
])("the command that installs a browser by hand is one of %s", (_system, osRelease, wanted) => expect(browserCommand(osRelease)).toMatch(wanted));
