import type { Db } from "db/schema";
import { DAY_MS } from "~/platform/durations";
import { choicePath } from "./plans/choice";
import { ONE_TIME_DAYS } from "./plans/plans";
import { TIME_ZONE } from "~/platform/i18n/time-zone";
import type { WriteLetter } from "~/mail/mail";
import type { Mails } from "~/mail/outbox.server";

/** Time between the mail and the end of a one-time payment or granted plan. */
const NOTICE_MS = 3 * DAY_MS;

export interface ExpiryNoticesOptions {
  db: Db;
  mails: Pick<Mails, "post">;
  /** Renders a mail as text. */
  write: WriteLetter;
  /** Public origin, for the links in mails. */
  baseUrl: string;
}

/** Mails about the end of one-time payments and of plans granted without payment. */
export function createExpiryNotices({ db, mails, write, baseUrl }: ExpiryNoticesOptions) {
  /** Mails each user whose coverage ends within three days, once for each end. Safe for concurrent processes. */
  async function announce(now = Date.now()): Promise<void> {
    const ending = await db
      .selectFrom("purchase")
      .innerJoin("user", "user.id", "purchase.user_id")
      .select(["purchase.id", "purchase.plan_name", "purchase.ends_at", "purchase.granted", "user.email", "user.locale"])
      .where((eb) => eb.or([eb("purchase.kind", "=", "payment"), eb("purchase.granted", "=", 1)]))
      .where("purchase.grants", "=", 1)
      .where("purchase.status", "!=", "gone")
      .where("purchase.end_mailed_at", "is", null)
      .where("purchase.ends_at", ">", now)
      .where("purchase.ends_at", "<=", now + NOTICE_MS)
      .execute();
    for (const { id, plan_name: plan, ends_at: endsAt, granted, email, locale } of ending) {
      await db.transaction().execute(async (trx) => {
        const claimed = await trx
          .updateTable("purchase")
          .set({ end_mailed_at: now })
          .where("id", "=", id)
          .where("end_mailed_at", "is", null)
          // A granted plan may have a new end meanwhile.
          .where("ends_at", "=", endsAt)
          .returning("id")
          .executeTakeFirst();
        if (!claimed || endsAt === null) return;
        const end = new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: TIME_ZONE }).format(endsAt);
        const website = await trx
          .selectFrom("registered_url")
          .select("url")
          .where("purchase_id", "=", id)
          .where("removed_at", "is", null)
          .orderBy("added_at")
          .orderBy("id")
          .executeTakeFirst();
        const link = `${baseUrl}${choicePath("/setup", { url: website?.url })}`;
        const values = { plan, end, days: String(ONE_TIME_DAYS), runs: `${baseUrl}/runs`, link };
        await mails.post(trx, { to: email, ...write(granted === 1 ? "granted_plan_ends" : "time_ends", locale, values) });
      });
    }
  }

  return { announce };
}
