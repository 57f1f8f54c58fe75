import type { Selectable } from "kysely";
import type { Trx } from "db/schema";
import type { RunTable } from "db/tables/runs";
import { CATEGORIES, IMPACTS, type Category, type EngineVersion, type FindingResult, type PageResult } from "~/scan/types";
import { mergeEngines } from "~/findings/engines";
import { NONE_STORED } from "~/findings/picture-store.server";
import { finishPage, isPartlyChecked } from "./page.server";

const COUNTS = ["pages", "failed_pages", "partly_pages", ...CATEGORIES, "elements", ...IMPACTS] as const;
type Findings = Record<Category, FindingResult[]>;
type Counts = Record<(typeof COUNTS)[number], number>;
const NOTHING = Object.fromEntries(COUNTS.map((name) => [name, 0])) as Counts;

/**
 * Stores the outcome of an open page, and adds it to the sums of its run.
 */
export async function addResult(
  trx: Trx,
  id: string,
  result: PageResult,
  engines: EngineVersion[],
  stored = NONE_STORED,
): Promise<void> {
  const bytes = await finishPage(trx, id, result, engines, stored);
  await addToSums(trx, id, { counts: countsOf(result), violations: result.status === "failed" ? null : result.findings.violations, bytes, engines });
}

/** Adds more findings of a finished page to the sums of its run. @param bytes size of their elements */
export async function addFindings(trx: Trx, id: string, findings: Findings, bytes: number): Promise<void> {
  await addToSums(trx, id, { counts: countsOfFindings(findings), violations: findings.violations, bytes, engines: [] });
}

interface Addition {
  counts: Counts;
  /** Violations of the page; null if nothing was checked. */
  violations: FindingResult[] | null;
  bytes: number;
  engines: EngineVersion[];
}

async function addToSums(trx: Trx, id: string, { counts, violations, bytes, engines }: Addition): Promise<void> {
  const row = await trx.selectFrom("run").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  await trx
    .updateTable("run")
    .set({
      ...sum(row, counts),
      evidence_bytes: Math.max(0, row.evidence_bytes) + bytes,
      violated_rules: violatedRules(row, violations),
      engines: JSON.stringify(mergeEngines(enginesOf(row), engines)),
    })
    .where("id", "=", id)
    .execute();
}

/** Violated rules of a run, with those of further violations. */
function violatedRules({ violated_rules }: Pick<Selectable<RunTable>, "violated_rules">, violations: FindingResult[] | null): string | null {
  if (violations === null) return violated_rules;
  return JSON.stringify([...new Set([...ruleIds(violated_rules), ...violations.map(({ ruleId }) => ruleId)])]);
}

export const enginesOf = ({ engines }: Pick<Selectable<RunTable>, "engines">) => JSON.parse(engines) as EngineVersion[];

export const ruleIds = (json: string | null) => (json === null ? [] : (JSON.parse(json) as string[]));

function countsOf(result: PageResult): Counts {
  if (result.status === "failed") return { ...NOTHING, pages: 1, failed_pages: 1 };
  return { ...countsOfFindings(result.findings), pages: 1, partly_pages: isPartlyChecked(result) ? 1 : 0 };
}

function countsOfFindings(findings: Findings): Counts {
  const counts = { ...NOTHING };
  for (const category of CATEGORIES) counts[category] = findings[category].length;
  for (const { impact, elementCount } of findings.violations) {
    counts.elements += elementCount;
    if (impact) counts[impact] += 1;
  }
  return counts;
}

function sum(one: Counts, other: Counts): Counts {
  return Object.fromEntries(COUNTS.map((name) => [name, one[name] + other[name]])) as Counts;
}
