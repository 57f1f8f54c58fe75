import type { Selectable } from "kysely";
import type { Db, Trx } from "db/schema";
import type { ScheduleTable } from "db/tables/monitoring";
import { toUser, type User } from "~/accounts/user.server";
import { titleOf } from "~/findings/rules/titles.server";
import type { LetterKind, WriteLetter } from "~/mail/mail";
import type { Mails } from "~/mail/outbox.server";
import type { SecretBox } from "~/platform/crypto/secret-box.server";
import type { Locale } from "~/platform/i18n/i18n";
import type { Run } from "~/runs/run";
import type { RunComparison } from "./comparison.server";
import { runToCompareWith, type Histories } from "./history.server";

/** Maximum number of rules in a mail. */
const NAMED_RULES = 3;
const UNSUBSCRIBE = "unsubscribe";

export interface ScheduleMailsOptions {
  db: Db;
  histories: Pick<Histories, "earlier" | "compare">;
  mails: Pick<Mails, "post">;
  /** Writes the text of a mail. */
  write: WriteLetter;
  box: Pick<SecretBox, "seal" | "open">;
  /** Public origin, for the links in mails. */
  baseUrl: string;
}

type Row = Selectable<ScheduleTable>;

/** Mail that is not written yet. */
interface News {
  kind: LetterKind;
  values: (locale: Locale) => Record<string, string>;
}

/** Mails about schedules to their owners, with unsubscribe links. */
export function createScheduleMails({ db, histories, mails, write, box, baseUrl }: ScheduleMailsOptions) {
  return { newsOf, newsOfPause, post, unsubscribed, unsubscribe };

  /** News of a run: new violations, no page could be checked, or the run failed. Null if there are none. */
  async function newsOf(row: Row, run: Run): Promise<News | null> {
    if (row.mails === 0 || run.status === "canceled") return null;
    const link = `${baseUrl}/run/${run.id}`;
    if (run.stats.pages === run.stats.failedPages) return { kind: "schedule_failed", values: () => ({ link }) };
    const before = runToCompareWith(run, await histories.earlier(row.owner, run));
    const comparison = before && (await histories.compare(before, run));
    if (!comparison || comparison.totals.new === 0) {
      return run.status === "failed" ? { kind: "schedule_broken_off", values: (locale) => ({ link, ...pagesOf(run, locale) }) } : null;
    }
    return {
      kind: run.status === "failed" ? "schedule_worse_broken_off" : "schedule_worse",
      values: (locale) => ({
        link: `${link}/changes`,
        ...numbersOf(comparison, locale),
        rules: newRules(comparison, locale),
      }),
    };
  }

  function newsOfPause({ id, mails: wanted }: Row, why: NonNullable<Row["paused"]>): News | null {
    if (wanted === 0) return null;
    if (why === "not_covered") return { kind: "schedule_not_covered", values: () => ({ link: `${baseUrl}/profile/urls` }) };
    return { kind: why === "level" ? "schedule_level" : "schedule_locked_out", values: () => ({ link: `${baseUrl}/runs/schedules/${id}` }) };
  }

  async function post(trx: Trx, row: Row, { kind, values }: News): Promise<void> {
    const owner = await recipient(trx, row.owner);
    if (!owner) return;
    const { email, locale } = owner;
    const unsubscribeLink = `${baseUrl}/unsubscribe/${box.seal(row.id, UNSUBSCRIBE)}`;
    const letter = write(kind, locale, { address: row.url, unsubscribe: unsubscribeLink, ...values(locale) });
    await mails.post(trx, { ...letter, to: email, unsubscribe: unsubscribeLink });
  }

  /** Schedule of a mail's unsubscribe link; null for an invalid link or a schedule that has ended. */
  async function unsubscribed(token: string): Promise<{ url: string; mails: boolean } | null> {
    const id = box.open(token, UNSUBSCRIBE);
    if (id === null) return null;
    const row = await db.selectFrom("schedule").select(["url", "mails"]).where("id", "=", id).executeTakeFirst();
    return row ? { url: row.url, mails: row.mails === 1 } : null;
  }

  /** Ends the mails of a link's schedule; its runs continue. */
  async function unsubscribe(token: string): Promise<boolean> {
    const id = box.open(token, UNSUBSCRIBE);
    if (id === null) return false;
    const { numUpdatedRows } = await db.updateTable("schedule").set({ mails: 0 }).where("id", "=", id).executeTakeFirstOrThrow();
    return numUpdatedRows > 0n;
  }
}

/** Recipient; null for an unconfirmed address, which another person may have entered. */
async function recipient(trx: Trx, userId: string): Promise<User | null> {
  const row = await trx.selectFrom("user").selectAll().where("id", "=", userId).executeTakeFirst();
  return row && row.email_verified === 1 ? toUser(row) : null;
}

/** Numbers of rules with new elements, of new elements, of pages that could not be checked, and of all pages. */
function numbersOf({ rules, totals, now }: RunComparison, locale: Locale): Record<string, string> {
  const { format } = new Intl.NumberFormat(locale);
  return { violated: format(rules.filter(({ counts }) => counts.new > 0).length), count: format(totals.new), ...pagesOf(now, locale) };
}

/** Numbers of pages that could not be checked, and of all pages. */
function pagesOf({ stats }: Pick<Run, "stats">, locale: Locale): Record<string, string> {
  const { format } = new Intl.NumberFormat(locale);
  return { failed: format(stats.failedPages), pages: format(stats.pages) };
}

function newRules({ rules }: RunComparison, locale: Locale): string {
  const names = rules.filter(({ counts }) => counts.new > 0).map((rule) => titleOf(rule, "violations", locale).text);
  const more = names.length > NAMED_RULES ? "; …" : "";
  return `${names.slice(0, NAMED_RULES).join("; ")}${more}`;
}
