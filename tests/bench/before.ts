import { fileURLToPath } from "node:url";
import { compareCommands } from "./support/compare-commands";
import { conclude, exactly, fasterBy, figure, median, round } from "./support/figures";
import { sized } from "./support/options";

/*
 * Pages per minute of the command line, compared with an earlier build: the same pages, the same browser program, two
 * pages at once, whole commands from start to end.
 *
 *   BEFORE=path/to/earlier/build/server/scan.js CORPUS_DIR=folder/of/html npx tsx tests/bench/before.ts [--rounds 2] [name…]
 */
const TARGET = 0.97;
const program = fileURLToPath(new URL("../../build/server/scan.js", import.meta.url));
const { measured, speeds } = await compareCommands(
  {
    now: { program, options: ["--checks", "axe"] },
    // Without the option for rules: an earlier build may only have axe-core's rules.
    before: { program: process.env["BEFORE"] ?? sized("", program) },
  },
  { rounds: 2 },
);
const { now, before } = measured;

conclude([
  ...speeds,
  figure("CPU time, before / now", round(median(before.cpuMs) / median(now.cpuMs))),
  fasterBy("now / before", { ours: now.ms, other: before.ms }, TARGET),
  exactly("pages that were not checked now", now.unchecked, 0),
]);
