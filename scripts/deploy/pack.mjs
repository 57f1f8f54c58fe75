/**
 * Packs the built product with the packages that it needs at run time: an archive for this system and version of Node, with
 * `install.sh` to install it.
 *
 *   node scripts/deploy/pack.mjs [--folder FOLDER]
 *
 * `--folder`: a new folder instead of an archive in `build`.
 */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { thirdPartyLicenses } from "./licenses.mjs";
import { unbundledPackages } from "./shipped-packages.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Files besides packages: path in the repository, and in the archive if it differs. */
const FILES = [
  ["build/client"],
  ["build/server"],
  ["app/scan/browser/find-browser.mjs"],
  ["scripts/start.mjs"],
  ["scripts/deploy"],
  ["LICENSE"],
  ["README.md"],
  [".github/CHANGELOG.md", "CHANGELOG.md"],
];

/** Commands that need only the built files. */
const COMMANDS = ["scan", "admin", "billing:setup"];

function main() {
  const { folder } = parseArgs({ options: { folder: { type: "string" } } }).values;
  if (!existsSync(join(root, "build/server/serve.js"))) throw new Error("There is no build: npm run build makes one.");
  if (folder !== undefined) return pack(resolve(folder));
  const { version } = readJson("package.json");
  const [major] = process.versions.node.split(".");
  const parent = mkdtempSync(join(tmpdir(), "rampe-pack-"));
  try {
    const name = `rampe-${version}`;
    pack(join(parent, name));
    const archive = join(root, "build", `${name}-${process.platform}-${process.arch}-node${major}.tar.gz`);
    const tar = ["-czf", archive, "-C", parent, "--owner=0", "--group=0", "--sort=name", name];
    if (spawnSync("tar", tar, { stdio: "inherit" }).status !== 0) throw new Error("tar could not write the archive.");
    console.log(archive);
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
}

/** @param {string} target path of a new folder */
function pack(target) {
  mkdirSync(dirname(target), { recursive: true });
  mkdirSync(target);
  for (const [from = "", to = from] of FILES) copy(from, join(target, to));
  for (const path of unbundledPackages(root)) copy(path, join(target, path), isUsedAtRunTime);
  const { name, version, license, scripts } = readJson("package.json");
  const commands = Object.fromEntries(COMMANDS.map((each) => [each, scripts[each]]));
  const manifest = { name, version, license, private: true, type: "module", scripts: { start: "node scripts/start.mjs", ...commands } };
  writeFileSync(join(target, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  writeFileSync(join(target, "THIRD-PARTY-LICENSES.txt"), thirdPartyLicenses(root));
}

/**
 * @param {string} path in the repository
 * @param {string} target
 * @param {(path: string) => boolean} [isWanted] filter by the path in the repository
 */
function copy(path, target, isWanted = () => true) {
  const filter = (/** @type {string} */ each) => isWanted(relative(root, each)) && !each.endsWith("/.env");
  cpSync(join(root, path), target, { recursive: true, filter });
}

/** @param {string} path of a file or folder of a package, in the repository */
function isUsedAtRunTime(path) {
  if (/\.(map|[cm]?ts)$/.test(path)) return false;
  // Nested packages are on the list themselves, if they are needed.
  if (/.\/node_modules$/.test(path)) return false;
  // Without the sources of SQLite, and without temporary files of the compiler.
  const [, part] = /^node_modules\/better-sqlite3\/(.+)$/.exec(path) ?? [];
  if (part === undefined) return true;
  return /^(build(\/Release(\/better_sqlite3\.node)?)?|lib(\/.*)?|package\.json|LICENSE)$/.test(part);
}

/** @param {string} path */
function readJson(path) {
  return JSON.parse(readFileSync(join(root, path), "utf8"));
}

main();
