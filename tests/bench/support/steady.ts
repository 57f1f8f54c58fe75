import { fileURLToPath } from "node:url";
import { runProgram } from "./run-program";

const PROBE = fileURLToPath(new URL("./probe.ts", import.meta.url));

export interface SteadyRequests {
  url: string;
  seconds: number;
  perSecond: number;
}

/** Requests a page at a steady rate from a separate process. @returns the ms of each answer */
export async function askSteadily({ url, seconds, perSecond }: SteadyRequests): Promise<number[]> {
  // Includes the arguments of this process, which load the TypeScript loader.
  const { code, out, err } = await runProgram([...process.execArgv, PROBE, url, String(seconds), String(perSecond)]);
  if (code !== 0) throw new Error(`the probe failed: ${err}`);
  return JSON.parse(out) as number[];
}
