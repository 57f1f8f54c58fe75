import { createPurchases } from "~/billing/purchase.server";
import { writeLetter } from "~/mail/letters.server";
import type { Mail } from "~/mail/mail";
import { createHistories } from "~/monitoring/history.server";
import { createSchedules } from "~/monitoring/schedule.server";
import { createSecretBox } from "~/platform/crypto/secret-box.server";
import { createScanRequests } from "~/runs/scan-request.server";
import type { PageResult } from "~/scan/types";
import { freshDatabase } from "./database";
import { addUsers, finishedRun, runsOf } from "./finished-runs";
import { checkedPage, element, finding } from "./page-results";

export const DAY_MS = 86_400_000;
export const WEEK_MS = 7 * DAY_MS;
export const SHOP = "https://shop.example/";
export const BASE_URL = "https://rampe.example";

/** Ten o'clock in Berlin in winter, as Unix time in ms. @param iso such as `2026-11-01` */
export const at = (iso: string) => Date.parse(`${iso}T09:00:00Z`);

export type RepeatedScan = Awaited<ReturnType<typeof repeatedScan>>;

/** Ada's weekly scan of the shop since 1 November 2026; the test sets the time. */
export async function repeatedScan() {
  const db = await freshDatabase();
  const clock = { time: at("2026-11-01") };
  const posted: Mail[] = [];
  const purchases = createPurchases({ db });
  const runs = () => runsOf(db, () => clock.time);
  const submitted = () => db.selectFrom("run").selectAll().where("created_at", ">", 1_000).orderBy("created_at").execute();

  function schedules({ open = true, broken = false, secret = "a secret of the tests" } = {}) {
    const scanRequests = createScanRequests({ db, runs: runs(), purchases, open, trialScans: 0 });
    return createSchedules({
      ...{ db, purchases, open },
      histories: createHistories({ db }),
      scanRequests: broken ? { submit: () => Promise.reject(new Error("the process dies")) } : scanRequests,
      mails: { post: async (_trx, mail) => void posted.push(mail) },
      write: writeLetter,
      box: createSecretBox([secret]),
      baseUrl: BASE_URL,
      now: () => clock.time,
    });
  }

  await addUsers(db, "ada");
  const run = await finishedRun(db, [page("logo")], { at: 1_000, excludedPaths: ["/archive/"], maxPages: 50 });
  await schedules().set("ada", run, { every: "week", mails: true });
  return { db, clock, posted, purchases, run, runs, submitted, schedules };
}

/** Page of the shop; the named pictures have no description. */
export const page = (...names: string[]): PageResult =>
  checkedPage({
    findings: {
      violations: names.length > 0 ? [finding("image-alt", { impact: "critical", elementCount: names.length, elements: names.map(img) })] : [],
      incomplete: [],
      passes: names.length > 0 ? [] : [finding("image-alt")],
      inapplicable: [],
    },
  });

const img = (name: string) => element({ target: [`#${name}`], html: `<img id="${name}">` });
