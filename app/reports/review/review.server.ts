import { setImmediate as breathe } from "node:timers/promises";
import type { Insertable } from "kysely";
import { upsertRows } from "db/rows";
import type { Database, Db } from "db/schema";
import { fingerprintOf } from "~/findings/fingerprint.server";
import type { Answer, Review, ReviewState } from "./answer";
import type { ElementResult, FindingResult, Impact } from "~/scan/types";
import { toElement, type StoredElement } from "~/findings/finding.server";
import { worstFirst } from "~/scan/impact";
import { ruleKey } from "~/findings/rules/rule-key";
import type { Withheld } from "~/reports/report-entitlement.server";
import type { Run } from "~/runs/run";

/** Number of pages whose elements are read at once; other requests run in between. */
const PAGES_PER_STEP = 10;
/** Number of rows per statement; a question may occur on each page of a site. */
const ROWS_PER_STEP = 1_000;
const KEY = ["owner", "origin", "path", "rule", "fingerprint"] as const;
const COLUMNS = { owner: "text", origin: "text", path: "text", rule: "text", fingerprint: "text", answer: "text", reason: "text", answered_by: "text", answered_at: "bigint" } as const;
/** Maximum number of listed elements per group. */
const LISTED_LOCATIONS = 5;

interface ReviewLocation {
  pageId: number;
  pageUrl: string;
  /** Final address of the page after redirects. */
  pageFinalUrl: string | null;
  /** Position in its finding on its page, from 0. */
  position: number;
}

/** Similar elements of a rule: one question, with one answer. */
export interface ReviewGroup {
  /** Unique among the groups of its rule. */
  fingerprint: string;
  rule: Pick<FindingResult, "ruleId" | "tags" | "help" | "description" | "helpUrl">;
  impact: Impact | null;
  elements: number;
  pages: number;
  /** An element with a picture, if there is one. */
  sample: StoredElement & ReviewLocation;
  /** First elements of the group. */
  locations: ReviewLocation[];
  /** Latest answer to any of its elements. */
  review: Review | null;
  /** Whether all its elements have been answered. */
  isAnswered: boolean;
}

export interface Reviewing {
  groups: ReviewGroup[];
  /** Number of groups in the whole list, including answered ones that stay in it. */
  listed: number;
  /** Number of groups by state. */
  counts: Record<ReviewState, number>;
  /** Number of elements that are not stored individually. */
  notListed: number;
}

/** Answers of people to the questions of a run, by the ids of the rules. */
export interface AnsweredRules {
  /** Rules with the answer `problem` on at least one page. */
  problems: Set<string>;
  /** Rules whose elements were all answered with `no_problem`. */
  settled: Set<string>;
}

/** Answer for an element of a run; undefined if there is none. */
export type AnswerOf = (at: { pageUrl: string; rule: RuleName; element: Pick<ElementResult, "target" | "html"> }) => Review | undefined;

interface OpenGroup {
  ruleRow: number;
  source: FindingResult["source"];
  ruleId: string;
  fingerprint: string;
  impact: Impact | null;
  elements: number;
  pages: Set<string>;
  answered: number;
  /** Number of elements answered with `no_problem`. */
  withoutProblem: number;
  /** Whether some were answered since the requested time. */
  isLate: boolean;
  locations: ReviewLocation[];
  /** First element with a picture. */
  pictured: ReviewLocation | null;
  review: Review | null;
  /** Whether some were answered with `problem`, on at least one page. */
  hasProblem: boolean;
}

/** A person's answer to a question. */
export interface GivenAnswer {
  ruleId: string;
  fingerprint: string;
  answer: Answer;
  reason: string | null;
}

type RunOf = Pick<Run, "id">;
type RuleName = Pick<FindingResult, "source" | "ruleId">;

export type Reviews = ReturnType<typeof createReviews>;

/**
 * Answers of people for elements that the engine could not judge. An answer belongs to a user, a page, a rule and the
 * element's fingerprint, so it is valid in every run of that page. The caller has already found the run for its owner.
 */
export function createReviews({ db, now = Date.now }: { db: Db; now?: () => number }) {
  return { groups, answer, answersOf, answeredRules };

  /**
   * One page of a run's questions, the most important rules first.
   * @param withheld rules without questions
   * @param since Unix time in ms: open questions answered since then stay in their list
   */
  async function groups(
    owner: string,
    run: RunOf,
    { state, offset, limit, withheld, since = Infinity }: { state: ReviewState; offset: number; limit: number; withheld?: Withheld; since?: number },
  ): Promise<Reviewing> {
    const found = await grouped(owner, run, since);
    const all = found.filter(({ ruleId }) => !withheld?.has(ruleId));
    const wanted = all.filter((group) => state === "all" || (state === "answered" ? isAnswered(group) : !isAnswered(group) || group.isLate));
    const answered = all.filter(isAnswered).length;
    const elementsInGroups = found.reduce((sum, { elements }) => sum + elements, 0);
    return {
      groups: await inFull(wanted.slice(offset, offset + limit)),
      listed: wanted.length,
      counts: { all: all.length, answered, open: all.length - answered },
      notListed: Math.max(0, [...(await elementsByRule(run)).values()].reduce((sum, count) => sum + count, 0) - elementsInGroups),
    };
  }

  /**
   * Answers questions, each on all pages of the run that have it; replaces earlier answers.
   * @returns number of answered questions and pages; 0, without changes, if the run lacks one of the questions
   */
  async function answer(owner: string, run: RunOf, given: GivenAnswer[]): Promise<number> {
    const wanted = new Map(given.map((each) => [`${each.ruleId} ${each.fingerprint}`, { ...each, urls: new Map<string, string>() }]));
    const ruleIds = new Set(given.map(({ ruleId }) => ruleId));
    for await (const row of elements(run, ruleIds)) wanted.get(`${row.ruleId} ${row.fingerprint}`)?.urls.set(row.pageUrl, ruleKey(row));
    const all = [...wanted.values()];
    if (all.some(({ urls }) => urls.size === 0)) return 0;
    const byKey = new Map<string, Insertable<Database["review"]>>();
    for (const { fingerprint, answer, reason, urls } of all) {
      const facts = { answer, reason, answered_by: owner, answered_at: now() };
      for (const [url, rule] of urls) {
        byKey.set(keyOf(url, rule, fingerprint), { owner, ...addressOf(url), rule, fingerprint, ...facts });
      }
    }
    const rows = [...byKey.values()];
    await db.transaction().execute(async (trx) => {
      for (let from = 0; from < rows.length; from += ROWS_PER_STEP) {
        await upsertRows(trx, "review", { types: COLUMNS, key: KEY }, rows.slice(from, from + ROWS_PER_STEP));
        await breathe();
      }
    });
    return all.reduce((sum, { urls }) => sum + urls.size, 0);
  }

  /** All answers for the elements of a run, including answers from earlier runs. */
  async function answersOf(owner: string, run: RunOf): Promise<AnswerOf> {
    const known = await reviewsOf(owner, run);
    return ({ pageUrl, rule, element }) => known.get(keyOf(pageUrl, ruleKey(rule), fingerprintOf(element)));
  }

  /** Rules by people's answers. If its elements are deleted, a run cannot show that all were answered: no rule is settled. */
  async function answeredRules(owner: string, run: Pick<Run, "id" | "evidence">): Promise<AnsweredRules> {
    if (run.evidence === "gone") return { problems: await problemsWithoutElements(owner, run), settled: new Set() };
    const found = await grouped(owner, run);
    const withoutProblem = new Map<string, number>();
    for (const group of found) withoutProblem.set(group.ruleId, (withoutProblem.get(group.ruleId) ?? 0) + group.withoutProblem);
    const all = await elementsByRule(run);
    return {
      problems: new Set(found.filter(({ hasProblem }) => hasProblem).map(({ ruleId }) => ruleId)),
      settled: new Set([...withoutProblem].filter(([ruleId, count]) => count === all.get(ruleId)).map(([ruleId]) => ruleId)),
    };
  }

  /** Rules that still need review on pages where a person found a problem. Without elements, the problem may be fixed meanwhile. */
  async function problemsWithoutElements(owner: string, run: RunOf): Promise<Set<string>> {
    const asked = await db
      .selectFrom("page")
      .innerJoin("finding", "finding.page_id", "page.id")
      .innerJoin("rule", "rule.id", "finding.rule_id")
      .select(["page.url", "rule.source", "rule.rule_id as ruleId"])
      .where("page.run_id", "=", run.id)
      .where("finding.category", "=", "incomplete")
      .execute();
    const answered = await db.selectFrom("review").select(["origin", "path", "rule"]).where("owner", "=", owner).where("answer", "=", "problem").execute();
    const found = new Set(answered.map(({ origin, path, rule }) => keyOf(`${origin}${path}`, rule, "")));
    return new Set(asked.filter((each) => found.has(keyOf(each.url, ruleKey(each), ""))).map(({ ruleId }) => ruleId));
  }

  async function grouped(owner: string, run: RunOf, since = Infinity): Promise<OpenGroup[]> {
    const known = await reviewsOf(owner, run);
    const all = new Map<string, OpenGroup>();
    for await (const { ruleRow, source, ruleId, fingerprint, impact, hasPicture, ...location } of elements(run)) {
      const rule = ruleKey({ source, ruleId });
      const key = `${rule} ${fingerprint}`;
      const group = all.get(key) ?? emptyGroup({ ruleRow, source, ruleId, fingerprint, impact });
      all.set(key, group);
      const review = known.get(keyOf(location.pageUrl, rule, fingerprint));
      group.elements += 1;
      group.pages.add(location.pageUrl);
      if (group.locations.length < LISTED_LOCATIONS) group.locations.push(location);
      if (hasPicture) group.pictured ??= location;
      if (!review) continue;
      group.answered += 1;
      if (review.at >= since) group.isLate = true;
      if (review.answer === "problem") group.hasProblem = true;
      if (review.answer === "no_problem") group.withoutProblem += 1;
      if (!group.review || review.at > group.review.at) group.review = review;
    }
    return [...all.values()].sort(mostImportantFirst);
  }

  /** Elements of a run that need review, in page order. @param ruleIds only of these rules */
  async function* elements(run: RunOf, ruleIds?: ReadonlySet<string>) {
    const pages = await db.selectFrom("page").select(["id", "url", "final_url"]).where("run_id", "=", run.id).orderBy("position").execute();
    const byId = new Map(pages.map((page) => [page.id, page]));
    for (let start = 0; start < pages.length; start += PAGES_PER_STEP) {
      let query = db
        .selectFrom("element")
        .innerJoin("rule", "rule.id", "element.rule_id")
        .innerJoin("finding", (join) =>
          join
            .onRef("finding.page_id", "=", "element.page_id")
            .onRef("finding.category", "=", "element.category")
            .onRef("finding.rule_id", "=", "element.rule_id"),
        )
        .select(["element.page_id", "element.position", "element.target", "element.html", "element.picture"])
        .select(["rule.id as ruleRow", "rule.source", "rule.rule_id", "finding.impact"])
        .where("element.page_id", "in", pages.slice(start, start + PAGES_PER_STEP).map(({ id }) => id))
        .where("element.category", "=", "incomplete")
        .orderBy("element.page_id")
        .orderBy("element.rule_id")
        .orderBy("element.position");
      if (ruleIds !== undefined) query = query.where("rule.rule_id", "in", [...ruleIds]);
      for (const row of await query.execute()) {
        yield {
          ruleRow: row.ruleRow,
          source: row.source,
          ruleId: row.rule_id,
          impact: row.impact,
          fingerprint: fingerprintOf({ html: row.html, target: JSON.parse(row.target) as ElementResult["target"] }),
          pageId: row.page_id,
          pageUrl: byId.get(row.page_id)?.url ?? "",
          pageFinalUrl: byId.get(row.page_id)?.final_url ?? null,
          position: row.position,
          hasPicture: row.picture !== null,
        };
      }
      await breathe();
    }
  }

  /** Number of elements that need review, stored individually or not, by the id of the rule. */
  async function elementsByRule(run: RunOf): Promise<Map<string, number>> {
    const rows = await db
      .selectFrom("page")
      .innerJoin("finding", "finding.page_id", "page.id")
      .innerJoin("rule", "rule.id", "finding.rule_id")
      .select("rule.rule_id as ruleId")
      .select((eb) => eb.fn.sum<number>("finding.element_count").as("elements"))
      .where("page.run_id", "=", run.id)
      .where("finding.category", "=", "incomplete")
      .groupBy("rule.rule_id")
      .execute();
    return new Map(rows.map(({ ruleId, elements: count }) => [ruleId, count]));
  }

  /** Answers by `keyOf`. */
  async function reviewsOf(owner: string, run: RunOf): Promise<Map<string, Review>> {
    const pages = await db.selectFrom("page").select("url").where("run_id", "=", run.id).execute();
    const origins = [...new Set(pages.map(({ url }) => addressOf(url).origin))];
    if (origins.length === 0) return new Map();
    const rows = await db
      .selectFrom("review")
      .leftJoin("user", "user.id", "review.answered_by")
      .selectAll("review")
      .select("user.name")
      .where("review.owner", "=", owner)
      .where("review.origin", "in", origins)
      .execute();
    return new Map(
      rows.map((row) => [
        keyOf(`${row.origin}${row.path}`, row.rule, row.fingerprint),
        { answer: row.answer, reason: row.reason, by: row.name ?? "", at: row.answered_at },
      ]),
    );
  }

  /** Adds the details of the rules and of the first elements to these groups. */
  async function inFull(shown: OpenGroup[]): Promise<ReviewGroup[]> {
    if (shown.length === 0) return [];
    const samples = await db
      .selectFrom("element")
      .selectAll()
      .where((eb) =>
        eb.or(
          shown.map((group) =>
            eb.and([
              eb("page_id", "=", sampleOf(group)?.pageId ?? -1),
              eb("category", "=", "incomplete"),
              eb("rule_id", "=", group.ruleRow),
              eb("position", "=", sampleOf(group)?.position ?? -1),
            ]),
          ),
        ),
      )
      .execute();
    const rules = await db.selectFrom("rule").selectAll().where("id", "in", shown.map(({ ruleRow }) => ruleRow)).execute();
    return shown.flatMap((group) => {
      const at = sampleOf(group);
      const sample = samples.find((row) => row.rule_id === group.ruleRow && row.page_id === at?.pageId && row.position === at.position);
      const rule = rules.find(({ id }) => id === group.ruleRow);
      if (!at || !sample || !rule) return [];
      return {
        fingerprint: group.fingerprint,
        rule: {
          ruleId: rule.rule_id,
          tags: JSON.parse(rule.tags) as string[],
          help: rule.help,
          description: rule.description,
          helpUrl: rule.help_url,
        },
        impact: group.impact,
        elements: group.elements,
        pages: group.pages.size,
        sample: { ...toElement(sample), ...at },
        locations: group.locations,
        review: group.review,
        isAnswered: isAnswered(group),
      };
    });
  }
}

/** Key of a page in answers: without the fragment, which is a position on the same page. */
function addressOf(url: string): { origin: string; path: string } {
  const { origin, pathname, search } = new URL(url);
  return { origin, path: `${pathname}${search}` };
}

/** @param rule result of `ruleKey` */
function keyOf(url: string, rule: string, fingerprint: string): string {
  const { origin, path } = addressOf(url);
  return `${origin}${path}\n${rule}\n${fingerprint}`;
}

function emptyGroup(of: Pick<OpenGroup, "ruleRow" | "source" | "ruleId" | "fingerprint" | "impact">): OpenGroup {
  return { ...of, elements: 0, pages: new Set(), answered: 0, withoutProblem: 0, isLate: false, locations: [], pictured: null, review: null, hasProblem: false };
}

const sampleOf = ({ pictured, locations }: OpenGroup) => pictured ?? locations[0];

const isAnswered = ({ answered, elements }: OpenGroup) => answered === elements;

const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);

/** Order by rule: the worst rules first, within a rule the most frequent questions first. */
const mostImportantFirst = worstFirst<OpenGroup>(
  (one, other) => compare(one.ruleId, other.ruleId) || other.elements - one.elements || compare(one.fingerprint, other.fingerprint),
);
