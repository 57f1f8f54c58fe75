import { sql, type ExpressionBuilder, type Insertable } from "kysely";
import { jsonMember } from "db/dialect";
import type { Database, Db, Trx } from "db/schema";
import { calendarDay } from "~/platform/i18n/calendar-date";
import { randomId } from "~/platform/crypto/tokens.server";
import { componentKey } from "~/findings/component-key.server";
import { fingerprintOf } from "~/findings/fingerprint.server";
import { ruleKey } from "~/findings/rules/rule-key";
import { hostWithoutWww } from "~/scan/host-without-www";
import type { ElementResult, FindingResult } from "~/scan/types";
import type { Acceptance, AcceptanceKind, AcceptanceScope } from "./acceptance";
import { createAcceptedFindings, type AcceptanceState } from "./accepted-findings.server";
import { pathAndQuery } from "~/findings/page-address";
import { elementKey, holdsIn, urlWithoutFragment, SUBJECT_COLUMNS, type ActiveAcceptance, type StoredAcceptance } from "./acceptance-scope";

/** Characters of stored markup: enough to recognise an element when its run is gone. */
export const KEPT_HTML = 300;

type Described = Pick<ElementResult, "target" | "html">;

/** Subject of a new acceptance. */
export interface Accepted {
  scope: AcceptanceScope;
  rule: RuleName;
  /** Null only for the scope `rule`. */
  element: (Described & { pageUrl: string }) | null;
}

export interface Terms {
  kind: AcceptanceKind;
  /** Last day as in `Acceptance`; null only for `not_a_barrier`. */
  lastDay: string | null;
  reason: string;
}

type RuleName = Pick<FindingResult, "source" | "ruleId">;

/** Finds the valid acceptance for a violation of a run; undefined if there is none. */
export interface AcceptanceReader {
  /** Acceptance with the narrowest scope. @param at.pageUrl the requested address */
  ofElement(at: { pageUrl: string; rule: RuleName; element: Described }): Acceptance | undefined;
  /** Acceptance of all elements of the rule. */
  ofRule(rule: RuleName): Acceptance | undefined;
}

export const NOTHING_ACCEPTED: AcceptanceReader = { ofElement: () => undefined, ofRule: () => undefined };

export type Acceptances = ReturnType<typeof createAcceptances>;

/**
 * Violations that people accepted. The counts of every run of the website exclude them, as long as they are found unchanged.
 * The caller has already found the run for its owner.
 */
export function createAcceptances({ db, now = Date.now }: { db: Db; now?: () => number }) {
  const found = createAcceptedFindings({ db, active, states });
  return { accept, end, has, forgetChangesOfOver, ofWebsite, readerOf, active, states, ofRun: found.ofRun, ofRuns: found.ofRuns, among: found.among, isUnknownIn: found.isUnknownIn, unknownAmong: found.unknownAmong };

  /** Accepts; ends earlier acceptances of the same subject. @returns its id; `isNew` is false if an equal one is already valid */
  async function accept(owner: string, run: { url: string }, { scope, rule, element }: Accepted, { kind, lastDay, reason }: Terms): Promise<{ id: string; isNew: boolean }> {
    if (scope !== "rule" && !element) throw new Error("An element is missing.");
    const at = now();
    const id = randomId();
    const target = targetOf(run, { scope, rule, element });
    const facts = { kind, last_day: lastDay, reason };
    return db.transaction().execute(async (trx) => {
      const isHeld = (eb: ExpressionBuilder<Database, "acceptance">) => eb.and([eb("owner", "=", owner), holds(eb, calendarDay(at))]);
      const known = await trx.selectFrom("acceptance").select("id").where(isHeld).where(equals({ ...target, ...facts })).executeTakeFirst();
      // Double click.
      if (known) return { id: known.id, isNew: false };
      await trx.updateTable("acceptance").set({ ended_by: owner, ended_at: at }).where(isHeld).where(equals(target)).execute();
      const html = scope === "rule" || !element ? null : element.html.slice(0, KEPT_HTML).toWellFormed();
      await trx
        .insertInto("acceptance")
        .values({ id, owner, ...target, ...facts, html, accepted_by: owner, accepted_at: at, ended_by: null, ended_at: null })
        .execute();
      await forgetChanges(trx, owner, target.origin);
      return { id, isNew: true };
    });
  }

  /** Whether the user has an acceptance with this id, ended or not. */
  async function has(owner: string, id: string): Promise<boolean> {
    return (await db.selectFrom("acceptance").select("id").where("owner", "=", owner).where("id", "=", id).executeTakeFirst()) !== undefined;
  }

  /** Ends an acceptance; it stays listed. @returns false if the user has no valid one with this id */
  async function end(owner: string, id: string): Promise<boolean> {
    const at = now();
    return db.transaction().execute(async (trx) => {
      const row = await trx
        .updateTable("acceptance")
        .set({ ended_by: owner, ended_at: at })
        .where("owner", "=", owner)
        .where("id", "=", id)
        .where("ended_at", "is", null)
        .where((eb) => eb.or([eb("last_day", "is", null), eb("last_day", ">=", calendarDay(at))]))
        .returning("origin")
        .executeTakeFirst();
      if (row) await forgetChanges(trx, owner, row.origin);
      return row !== undefined;
    });
  }

  /** Clears stored changes that were counted before the last day of an acceptance was over. */
  async function forgetChangesOfOver(): Promise<void> {
    const over = await db
      .selectFrom("acceptance")
      .select(["owner", "origin"])
      .select((eb) => eb.fn.max("last_day").as("lastDay"))
      .where("ended_at", "is", null)
      .where("last_day", "<", calendarDay(now()))
      .groupBy(["owner", "origin"])
      .execute();
    for (const { owner, origin, lastDay } of over) await forgetChanges(db, owner, origin, lastDay);
  }

  /**
   * Clears the stored changes of a website's latest runs, so that lists count them again.
   * @param countedUntil only changes counted on this day or before
   */
  async function forgetChanges(trx: Db | Trx, owner: string, origin: string, countedUntil: string | null = null): Promise<void> {
    const runs = trx
      .selectFrom("run")
      .select("id")
      .select(sql<number>`row_number() over (partition by url, scope order by created_at desc)`.as("nth"))
      .where("owner", "=", owner)
      .where("origin", "in", originsOfWebsite(origin))
      .where("status", "=", "succeeded")
      .where("deleted_at", "is", null);
    await trx
      .updateTable("run")
      .set({ changes: null })
      .where("id", "in", trx.selectFrom(runs.as("runs")).select("id").where("nth", "=", 1))
      .$if(countedUntil !== null, (query) => query.where(sql<string>`coalesce(${jsonMember(trx, "changes", "countedOn")}, '')`, "<=", countedUntil))
      .execute();
  }

  /** All acceptances for the website of a run, also ended ones, the latest first. */
  async function ofWebsite(owner: string, { url }: { url: string }): Promise<Acceptance[]> {
    const rows = await rowsOf(owner, url).orderBy("acceptance.accepted_at", "desc").orderBy("acceptance.id").execute();
    return rows.map(toAcceptance(now()));
  }

  /** Reads the acceptance of each violation, also after its elements were deleted. */
  async function readerOf({ owner, url }: { owner: string | null; url: string }): Promise<AcceptanceReader> {
    if (owner === null) return NOTHING_ACCEPTED;
    const rows = (await rowsOf(owner, url).where((eb) => holds(eb, calendarDay(now()))).orderBy("acceptance.accepted_at").orderBy("acceptance.id").execute()).filter(holdsIn({ url }));
    if (rows.length === 0) return NOTHING_ACCEPTED;
    const acceptance = toAcceptance(now());
    const known = new Map(rows.map((row) => [keyOf(row), acceptance(row)]));
    const rules = new Set(rows.map(({ rule }) => rule));
    return {
      ofElement({ pageUrl, rule, element }) {
        const key = ruleKey(rule);
        if (!rules.has(key)) return undefined;
        return known.get(elementKey(urlWithoutFragment(pageUrl), key, fingerprintOf(element))) ?? known.get(`${key}\n${componentKey(element.html)}`) ?? known.get(key);
      },
      ofRule: (rule) => known.get(ruleKey(rule)),
    };
  }

  /** All valid acceptances of some users. */
  async function active(owners: string[]): Promise<ActiveAcceptance[]> {
    return db
      .selectFrom("acceptance")
      .select(SUBJECT_COLUMNS)
      .where("owner", "in", owners)
      .where((eb) => holds(eb, calendarDay(now())))
      .orderBy("accepted_at")
      .orderBy("id")
      .execute();
  }

  /** Version of the valid acceptances, for each user, origin and scope: lists compare it instead of loading them. */
  async function states(owners: string[], on: Db | Trx = db): Promise<AcceptanceState[]> {
    return on
      .selectFrom("acceptance")
      .select(["owner", "origin", "scope"])
      // Text: the sum of many times is no safe integer.
      .select(sql<string>`count(*) || ' ' || max(accepted_at) || ' ' || sum(accepted_at)`.as("state"))
      .where("owner", "in", owners)
      .where((eb) => holds(eb, calendarDay(now())))
      .groupBy(["owner", "origin", "scope"])
      .orderBy("owner")
      .orderBy("origin")
      .orderBy("scope")
      .execute();
  }

  /** Acceptances for the website of an address. */
  function rowsOf(owner: string, url: string) {
    return db
      .selectFrom("acceptance")
      .leftJoin("user as by", "by.id", "acceptance.accepted_by")
      .leftJoin("user as ender", "ender.id", "acceptance.ended_by")
      .selectAll("acceptance")
      .select(["by.name as by", "ender.name as ender"])
      .where("acceptance.owner", "=", owner)
      .where("acceptance.origin", "in", originsOfWebsite(url));
  }
}

/** All origins of a website, as in `hostWithoutWww`. */
function originsOfWebsite(url: string): string[] {
  const bare = hostWithoutWww(url);
  return ["https", "http"].flatMap((scheme) => [`${scheme}://${bare}`, `${scheme}://www.${bare}`]);
}

const equals = (columns: Partial<Insertable<Database["acceptance"]>>) => (eb: ExpressionBuilder<Database, "acceptance">) =>
  eb.and(Object.entries(columns).map(([column, value]) => eb(column as keyof typeof columns, value === null ? "is" : "=", value)));

/** Stored subject of an acceptance. */
function targetOf(run: { url: string }, { scope, rule, element }: Accepted) {
  return {
    scope,
    rule: ruleKey(rule),
    origin: new URL(scope === "element" && element ? element.pageUrl : run.url).origin,
    path: scope === "element" && element ? pathAndQuery(element.pageUrl) : null,
    fingerprint: scope === "element" && element ? fingerprintOf(element) : null,
    component: scope === "component" && element ? componentKey(element.html) : null,
  };
}

/** Whether it is valid: not ended by a person, and its last day is not over. */
function holds(eb: ExpressionBuilder<Database, "acceptance">, today: string) {
  return eb.and([eb("acceptance.ended_at", "is", null), eb.or([eb("acceptance.last_day", "is", null), eb("acceptance.last_day", ">=", today)])]);
}

/** Computes the day once for all rows: it takes longer than the rest of a row. */
function toAcceptance(now: number): (row: StoredAcceptance) => Acceptance {
  const today = calendarDay(now);
  return (row) => ({
    id: row.id,
    scope: row.scope,
    rule: row.rule,
    ruleId: row.rule.slice(row.rule.indexOf("/") + 1),
    pageUrl: row.path === null ? null : `${row.origin}${row.path}`,
    html: row.html,
    kind: row.kind,
    lastDay: row.last_day,
    reason: row.reason,
    by: row.by ?? "",
    at: row.accepted_at,
    ended: row.ended_at === null ? null : { by: row.ender ?? "", at: row.ended_at },
    isOver: row.last_day !== null && row.last_day < today,
  });
}

function keyOf({ scope, origin, path, rule, fingerprint, component }: ActiveAcceptance): string {
  if (scope === "element") return elementKey(`${origin}${path}`, rule, fingerprint ?? "");
  return scope === "component" ? `${rule}\n${component}` : rule;
}
