import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { introduce } from "./support/figures";
import { sized, SMOKE } from "./support/options";

/*
 * Recall and false alarms of all rules on pages with known answers, printed by the scorer of these pages for each
 * set.
 *
 * Targets, for errors alone and including questions: act-dev 72 % and 90 % found, at most 3.5 % and 20 % false alarms; wcag
 * 60 % and 88 %, ibm 62 % and 82 %, keyboard all of 9; at most 1.5 % false alarms.
 *
 *   DETECT_DIR=folder/of/sets npx tsx tests/bench/detect.ts [act-dev] [wcag] [ibm] [keyboard] [--level=AAA] [--missed] [--false]
 */
const madeUp = fileURLToPath(new URL("./support/made-up-set/score.mjs", import.meta.url));
const folder = process.env["DETECT_DIR"] ?? sized("", dirname(madeUp));
const scorer = join(folder, "score.mjs");
const scan = fileURLToPath(new URL("../../build/server/scan.js", import.meta.url));
if (!existsSync(scorer)) throw new Error("This needs DETECT_DIR, a folder with score.mjs and its sets.");
if (!existsSync(scan)) throw new Error("This needs the built command line: npm run build makes it.");

introduce("Recall and false alarms on pages with known answers");
const args = process.argv.slice(2).filter((arg) => !SMOKE || arg !== "--smoke");
const sets = args.filter((arg) => !arg.startsWith("--"));
const level = args.find((arg) => arg.startsWith("--level="))?.slice("--level=".length) ?? "AA";
const flags = args.filter((arg) => arg.startsWith("--") && !arg.startsWith("--level="));
const command = `"${process.execPath}" "${scan}" - --json --level ${level} --checks pro --concurrency 3 --allow-private 127.0.0.1/32`;
const { status } = spawnSync(process.execPath, [scorer, "--set", sets.join(",") || "all", "--batch-cmd", command, ...flags], { cwd: folder, stdio: "inherit" });
process.exitCode = status ?? 1;
