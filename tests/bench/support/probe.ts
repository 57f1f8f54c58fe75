import { Agent, get } from "node:http";
import { setTimeout as delay } from "node:timers/promises";

/*
 * Requests a page at a steady rate, independent of the answers, and prints the times in ms as JSON. A separate program, so
 * that it measures the server and not other work in the process of a benchmark.
 *
 *   npx tsx tests/bench/support/probe.ts ADDRESS SECONDS REQUESTS_PER_SECOND
 */
const [address = "", seconds, perSecond] = process.argv.slice(2);
const everyMs = 1_000 / Number(perSecond);
const count = Number(seconds) * Number(perSecond);

const agent = new Agent({ keepAlive: true });
const began = performance.now();
const answers: Promise<number>[] = [];
for (let index = 0; index < count; index += 1) {
  const wait = began + index * everyMs - performance.now();
  if (wait > 0) await delay(wait);
  answers.push(ask());
}
process.stdout.write(JSON.stringify(await Promise.all(answers)));
agent.destroy();

/** Time from the request to the last byte of the answer, in ms. */
function ask(): Promise<number> {
  const asked = performance.now();
  return new Promise((resolve, reject) => {
    get(address, { agent, headers: { "accept-encoding": "br, gzip" } }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${address} answered ${response.statusCode}`));
      response.once("end", () => resolve(performance.now() - asked)).once("error", reject);
      response.resume();
    }).once("error", reject);
  });
}
