import { fileURLToPath } from "node:url";
import { compareCommands } from "./support/compare-commands";
import { below, conclude, exactly, fasterBy, figure, median, round } from "./support/figures";

/*
 * Time with our own rules, compared with axe-core's rules alone: the free check by whole commands from start to end, and a
 * page of the plan Pro, with keyboard use, opened controls and other conditions, page by page.
 *
 *   CORPUS_DIR=folder/of/html npx tsx tests/bench/checks.ts [--rounds 3] [name…]
 */
/** Target speed of the free check, relative to axe-core alone: at most 1.3 times its time. */
const TARGET = Math.floor(1000 / 1.3) / 1000;
const TARGET_PRO = 4;
const program = fileURLToPath(new URL("../../build/server/scan.js", import.meta.url));
const by = (checks: string) => ({ program, options: ["--checks", checks] });

const { measured, speeds } = await compareCommands({ axe: by("axe"), free: by("free"), pro: by("pro") }, { rounds: 3 });
const { axe, free, pro } = measured;
const ratios = [...pro.pages].flatMap(([url, ms]) => ms / (axe.pages.get(url) ?? NaN) || []);

conclude([
  ...speeds,
  figure("CPU time, free / axe", round(median(free.cpuMs) / median(axe.cpuMs))),
  fasterBy("pages/min, free / axe", { ours: free.ms, other: axe.ms }, TARGET),
  below("time of a page, pro / axe (median)", median(ratios), TARGET_PRO),
  exactly("pages that were not checked", free.unchecked + pro.unchecked, 0),
]);
