import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Installed package for comparison or as a judge; not part of this project. */
export interface Installed {
  /** Path of a file in a package. @param packageName this package or one of its dependencies */
  file(packageName: string, ...path: string[]): string;
  versionOf(packageName: string): string;
}

/** Installs exactly this version into a temporary folder, which is kept for the next time. */
export function installPackage(name: string, version: string): Installed {
  const folder = join(tmpdir(), `rampe-bench-${name}-${version}`);
  const file = (packageName: string, ...path: string[]) => join(folder, "node_modules", packageName, ...path);
  if (!existsSync(file(name, "package.json"))) {
    console.log(`installing ${name} ${version} into ${folder}`);
    // Install scripts of packages would download browsers and other files.
    const options = ["--ignore-scripts", "--no-audit", "--no-fund", "--prefix", folder];
    execFileSync("npm", ["install", ...options, `${name}@${version}`], {
      cwd: tmpdir(),
      stdio: ["ignore", "ignore", "inherit"],
      // On Windows, npm is a shell script.
      shell: process.platform === "win32",
    });
  }
  return {
    file,
    versionOf: (packageName) =>
      (JSON.parse(readFileSync(file(packageName, "package.json"), "utf8")) as { version: string }).version,
  };
}
