import { existsSync } from "node:fs";
import { openCorpus, WORST_PAGE } from "./corpus";
import { figure, introduce, measure, perMinute, round, spread, type Figure } from "./figures";
import { readOptions, turns } from "./options";
import { runProgram } from "./run-program";

interface Command {
  /** Path of a built command line. */
  program: string;
  options?: string[];
}

export interface Measured {
  /** Times of whole commands, in ms, by round. */
  ms: number[];
  cpuMs: number[];
  /** Times of the pages in the last round, in ms, by address. */
  pages: Map<string, number>;
  /** Pages that were not checked in the last round. */
  unchecked: number;
}

/**
 * Measures commands over the pages of the corpus, two pages at once, alternating. Without the worst page, whose time hides
 * that of the others.
 * @returns the measurements and a line of the result table for each command
 */
export async function compareCommands<Side extends string>(commands: Record<Side, Command>, defaults: { rounds: number }) {
  const sides = Object.keys(commands) as Side[];
  for (const side of sides) {
    if (!existsSync(commands[side].program)) throw new Error(`There is no built command line '${commands[side].program}'; npm run build makes one.`);
  }
  const options = readOptions(defaults);
  const corpus = await openCorpus(options.names);
  const urls = corpus.pages.filter(({ name }) => name !== WORST_PAGE).map(({ url }) => url);
  introduce(`Whole commands over ${urls.length} pages, two at once`);

  const measured = Object.fromEntries(sides.map((side) => [side, { ms: [], cpuMs: [], pages: new Map(), unchecked: 0 }])) as unknown as Record<Side, Measured>;
  for (let count = 0; count < options.rounds; count += 1) {
    for (const side of turns(count, sides)) {
      const { result, ms, cpuMs, said } = await measure(() => check(commands[side], urls, corpus.site.port));
      measured[side].ms.push(ms);
      measured[side].cpuMs.push(cpuMs);
      Object.assign(measured[side], result);
      console.log(`${side}: ${said}, ${round(perMinute(urls.length, ms))} pages/min`);
    }
  }
  await corpus.close();
  const speeds: Figure[] = sides.map((side) => figure(`${side}, pages/min`, spread(measured[side].ms.map((ms) => perMinute(urls.length, ms)))));
  return { measured, speeds };
}

async function check({ program, options = [] }: Command, urls: string[], port: number): Promise<Pick<Measured, "pages" | "unchecked">> {
  const args = [program, "-", "--json", "--concurrency", "2", "--allow-private", `127.0.0.1:${port}`, ...options];
  const { out } = await runProgram(args, { input: urls.join("\n") });
  const pages = out.split("\n").filter(Boolean).map((line) => JSON.parse(line) as { url: string; reason: string | null; durationMs: number });
  const checked = pages.filter(({ reason }) => reason === null);
  return { pages: new Map(checked.map(({ url, durationMs }) => [url, durationMs])), unchecked: urls.length - checked.length };
}
