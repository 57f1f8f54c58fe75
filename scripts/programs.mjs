import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/**
 * Runs a program in the root folder of the repository until it ends. Stores its output for error messages.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {Record<string, string | undefined>} env in addition to this process's own
 * @returns {Promise<{ ok: boolean, output: string }>}
 */
export function run(command, args, env = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
      shell: command === "npm" && process.platform === "win32", // npm is a batch file there
    });
    const stop = () => child.kill();
    process.once("exit", stop);
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (output += data));
    const end = (ok) => {
      process.off("exit", stop);
      resolve({ ok, output });
    };
    child.once("error", (error) => {
      output += error.message;
      end(false);
    });
    child.once("close", (code) => end(code === 0));
  });
}

/**
 * Runs npm: the one that started this process, else the one on the path. Packages must not download a browser.
 *
 * @param {...string} args
 */
export function npm(...args) {
  const env = { PUPPETEER_SKIP_DOWNLOAD: "1", npm_config_loglevel: "notice" };
  // Node's own headers, if installed: the compiler then needs no download, which may be blocked.
  const prefix = dirname(dirname(process.execPath));
  if (existsSync(join(prefix, "include/node/node_version.h"))) env.npm_config_nodedir = prefix;
  const quiet = [...args, "--no-audit", "--no-fund"];
  const cli = process.env.npm_execpath ?? "";
  return basename(cli) === "npm-cli.js" ? run(process.execPath, [cli, ...quiet], env) : run("npm", quiet, env);
}
