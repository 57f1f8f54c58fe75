import { openCorpus, WORST_PAGE } from "./support/corpus";
import { below, conclude, figure, introduce, median, quantile, round, type Figure } from "./support/figures";
import { readOptions, sized } from "./support/options";
import { orderCheck, startBenchServer } from "./support/bench-server";
import { askSteadily } from "./support/steady";
import { watchProgram, type Watch } from "./support/watch";
import type { TestServer } from "../support/servers/server";
import { withDatabase } from "../support/database/server-database";

/*
 * Speed of the web server while the scan pool is saturated. A separate process requests the home page at a steady rate,
 * first while the server is idle, then while more checks wait than can be done in that time; every round on a
 * new server. Needs a build. `--profile` takes a CPU profile of the saturated server, which names functions that block
 * the event loop; it makes the results worse.
 *
 *   CORPUS_DIR=folder/of/html npx tsx tests/bench/web-while-scanning.ts [--rounds 3] [--profile] [name…]
 */
const TARGET = 3;
const SECONDS = sized(20, 1);
const PER_SECOND = 20;
/** Number of checks, enough to keep the pool busy until the end. */
const CHECKS = sized(200, 40);
const WARM_UP_SECONDS = sized(3, 1);

const options = readOptions({ rounds: 3, flags: ["profile"] });
const corpus = await openCorpus(options.names);
// Without the endless check, which would fill the pool without work for the server.
const urls = corpus.pages.filter(({ name }) => name !== WORST_PAGE).map(({ url }) => url);
introduce(`GET / with ${PER_SECOND} requests a second, ${SECONDS} s idle and ${SECONDS} s with the scan pool saturated`);

const idle: number[] = [];
const busy: number[] = [];
const p99s = { idle: [] as number[], busy: [] as number[] };
const delays = { idle: 0, busy: 0 };
for (let count = 0; count < options.rounds; count += 1) await measureRound();
await corpus.close();

conclude([
  row("idle", idle),
  row("saturated", busy),
  figure("p99 of each round: idle; saturated", `${p99s.idle.map(round).join(", ")}; ${p99s.busy.map(round).join(", ")} ms`),
  figure("longest hold-up of the event loop: idle, saturated", `${round(delays.idle)} ms, ${round(delays.busy)} ms`),
  // Compared with the best idle round: other load must not improve the result.
  below("p99 saturated (median of rounds) / idle (best round)", median(p99s.busy) / Math.min(...p99s.idle), TARGET),
]);

async function measureRound(): Promise<void> {
  const watch = watchProgram();
  const server = await startBenchServer(corpus.site, watch.env);
  try {
    await probe(server, WARM_UP_SECONDS);
    const quiet = await probe(server, SECONDS);
    delays.idle = Math.max(delays.idle, longestDelay(watch));

    for (let index = 0; index < CHECKS; index += 1) await orderCheck(server, urls[index % urls.length] ?? "");
    const saturated = await withProfile(watch, () => probe(server, SECONDS));
    const waiting = await waitingChecks(server);
    if (waiting === 0) throw new Error("The pool ran dry: this has measured nothing.");
    delays.busy = Math.max(delays.busy, longestDelay(watch));

    idle.push(...quiet);
    busy.push(...saturated);
    p99s.idle.push(quantile(quiet, 0.99));
    p99s.busy.push(quantile(saturated, 0.99));
    console.log(`idle ${figuresOf(quiet)}; saturated ${figuresOf(saturated)}; ${waiting} checks waited at the end`);
  } finally {
    await server.stop();
    watch.close();
  }
}

function figuresOf(values: number[]): string {
  return [0.5, 0.99, 1].map((share) => `${round(quantile(values, share))} ms`).join(", ");
}

function row(what: string, values: number[]): Figure {
  return figure(`${what}: median, p99, slowest`, `${figuresOf(values)} (n = ${values.length})`);
}

// Function declaration: the rounds run before the end of this module.
function probe({ origin }: TestServer, seconds: number) {
  return askSteadily({ url: `${origin}/`, seconds, perSecond: PER_SECOND });
}

async function withProfile<Result>(watch: Watch, work: () => Promise<Result>): Promise<Result> {
  if (!options.flags.has("profile")) return work();
  const { result, stretches } = await watch.profile(work);
  for (const { ms, where } of stretches) console.log(`  ${round(ms)} ms without a break: ${where.join("; ")}`);
  return result;
}

/** Longest delay in the last phase. */
function longestDelay(watch: Watch): number {
  const since = Date.now() - SECONDS * 1_000;
  return Math.max(0, ...watch.samples().filter(({ at }) => at > since).map(({ delayMaxMs }) => delayMaxMs));
}

async function waitingChecks(server: TestServer): Promise<number> {
  const waiting = await withDatabase(server, (db) => db.selectFrom("run").select("id").where("status", "=", "queued").execute());
  return waiting.length;
}
