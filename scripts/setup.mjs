/**
 * Set-up of a clone: packages, a browser, a build. The npm scripts call it first.
 *
 *   node scripts/setup.mjs [--dev] [--no-build]
 *
 * Readable for an old Node, which otherwise could not report that it is too old: no syntax after ES2020's
 * import(), and no other import.
 */
const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`Rampe needs Node 20.19 or newer; this is ${process.version}. See https://nodejs.org\n`);
  process.exitCode = 1;
} else {
  void import("./make-ready.mjs");
}
