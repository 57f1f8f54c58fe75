import { setTimeout as delay } from "node:timers/promises";
import { below, conclude, figure, introduce, median, quantile, round, spread } from "./support/figures";
import { readOptions, sized } from "./support/options";
import { askSteadily } from "./support/steady";
import { register, signIn, visitorOf } from "../support/accounts/accounts";
import { startServer } from "../support/servers/server";

/*
 * Time of a refusal for known and unknown addresses, which must be equal at sign-in, registration and for a
 * forgotten password; and the delay of other pages by twenty concurrent sign-ins. Needs a build.
 *
 *   npx tsx tests/bench/sign-in.ts [--rounds 40]
 *
 * Within noise means: the medians of known and unknown addresses differ by less than half the distance between the quartiles
 * of the known ones.
 */
const AT_ONCE = sized(20, 2);
const SECONDS = sized(15, 1);
const PER_SECOND = 20;
const TARGET = 3;
const PASSWORD = "korrekt pferd batterie klammer";

const options = readOptions({ rounds: 40, flags: [] });
introduce(`Answers for known and unknown addresses, ${options.rounds} each; GET / beside ${AT_ONCE} sign-ins at once`);

const server = await startServer({
  realHashes: true,
  env: { NODE_ENV: "production", LOG_LEVEL: "error", TRUST_PROXY: "1", BILLING: "off" },
});
let clients = 0;
/** Client with a new address: sign-ups and attempts are limited by address. */
const client = () => {
  clients += 1;
  return visitorOf(server, { headers: { "X-Forwarded-For": `198.51.${clients >> 8}.${clients & 255}` } });
};

async function timed(path: string, fields: Record<string, string>): Promise<number> {
  const browser = client();
  const began = performance.now();
  await browser.post(path, fields);
  return performance.now() - began;
}

const known = Array.from({ length: options.rounds }, (_, index) => `known${index}@example.org`);
for (const email of known) await register(client(), { name: "Ada", email, password: PASSWORD });

const ways = {
  "sign-in": (email: string) => timed("/login", { email, password: "a wrong pass phrase" }),
  registration: (email: string) => timed("/register", { name: "Eve", email, password: PASSWORD }),
  "forgotten password": (email: string) => timed("/forgot-password", { email }),
};
const figures = [];
for (const [name, ask] of Object.entries(ways)) {
  const ms = { known: [] as number[], unknown: [] as number[] };
  for (const [index, email] of known.entries()) {
    // Alternating, so that other load of the machine affects all.
    const order: [keyof typeof ms, string][] = [
      ["known", email],
      ["unknown", `${name.replace(/\W/g, "")}${index}@example.org`],
    ];
    for (const [kind, address] of index % 2 === 0 ? order : order.reverse()) ms[kind].push(await ask(address));
  }
  const noise = (quantile(ms.known, 0.75) - quantile(ms.known, 0.25)) / 2;
  figures.push(
    figure(`${name}: known address`, spread(ms.known, " ms")),
    figure(`${name}: unknown address`, spread(ms.unknown, " ms")),
    below(`${name}: difference of the medians / noise`, Math.abs(median(ms.known) - median(ms.unknown)) / noise, 1),
  );
}

const probe = () => askSteadily({ url: `${server.origin}/`, seconds: SECONDS, perSecond: PER_SECOND });
await probe();
const idle = await probe();
const signedIn: number[] = [];
let over = false;
const signIns = Array.from({ length: AT_ONCE }, async (_, index) => {
  const email = known[index % known.length] ?? "";
  while (!over) {
    const browser = client();
    const began = performance.now();
    const { status } = await signIn(browser, { email, password: PASSWORD });
    if (status !== 303) throw new Error(`signing in was answered with ${status}`);
    signedIn.push(performance.now() - began);
    await delay(0);
  }
});
const busy = await probe();
over = true;
await Promise.all(signIns);
await server.stop();

const p99 = (values: number[]) => quantile(values, 0.99);
conclude([
  ...figures,
  figure(`sign-ins, ${AT_ONCE} at once`, `${round((signedIn.length * 1_000) / (SECONDS * 1_000))} a second, each ${spread(signedIn, " ms")}`),
  figure("GET / idle: median, p99", `${round(median(idle))} ms, ${round(p99(idle))} ms`),
  figure("GET / beside them: median, p99", `${round(median(busy))} ms, ${round(p99(busy))} ms`),
  below("p99 beside them / idle", p99(busy) / p99(idle), TARGET),
]);
