import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Packages outside of the built files: they read their own files, or are compiled. */
export const UNBUNDLED = ["better-sqlite3", "axe-core"];

/** Development packages whose files are part of the built pages and PDFs. */
const FONTS = ["@fontsource-variable/atkinson-hyperlegible-next", "@fontsource/atkinson-hyperlegible-next"];

/** Packages that are only used during an installation. */
const FOR_INSTALLS = ["prebuild-install"];

/**
 * @typedef {{ version: string, license?: string, dev?: boolean, devOptional?: boolean,
 *   dependencies?: Record<string, string>, optionalDependencies?: Record<string, string> }} Locked
 */

/**
 * @param {string} root folder of the repository
 * @returns {Record<string, Locked>} by path, such as `node_modules/express`
 */
function lockedPackages(root) {
  return JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")).packages;
}

/**
 * Paths of all packages in the product, inside or beside the built files.
 *
 * @param {string} root folder of the repository
 */
export function shippedPackages(root) {
  const fonts = new Set(FONTS.map((name) => `node_modules/${name}`));
  return Object.entries(lockedPackages(root))
    .filter(([path, { dev, devOptional }]) => path !== "" && ((!dev && !devOptional) || fonts.has(path)))
    .map(([path]) => path)
    // Without optional packages of other systems, which are not installed.
    .filter((path) => existsSync(join(root, path)))
    .sort();
}

/**
 * Paths of the packages that are needed beside the built files, with their dependencies.
 *
 * @param {string} root folder of the repository
 */
export function unbundledPackages(root) {
  const locked = lockedPackages(root);
  /** @type {Set<string>} */
  const found = new Set();
  const add = (/** @type {string} */ name, /** @type {string} */ from) => {
    const path = resolve(locked, name, from);
    if (path === undefined || found.has(path) || FOR_INSTALLS.includes(name) || !existsSync(join(root, path))) return;
    found.add(path);
    const { dependencies, optionalDependencies } = /** @type {Locked} */ (locked[path]);
    for (const next of Object.keys({ ...dependencies, ...optionalDependencies })) add(next, path);
  };
  for (const name of UNBUNDLED) add(name, "");
  return [...found].sort();
}

/**
 * Path of a package, by Node's rule: the nearest `node_modules` that has it.
 *
 * @param {Record<string, Locked>} locked
 * @param {string} name
 * @param {string} from path of a package; empty for the root
 * @returns {string | undefined}
 */
function resolve(locked, name, from) {
  for (let folders = from.split("/node_modules/"); ; folders = folders.slice(0, -1)) {
    const path = [...folders, name].filter(Boolean).join("/node_modules/").replace(/^(?!node_modules\/)/, "node_modules/");
    if (locked[path] || folders.length === 0) return locked[path] && path;
  }
}
