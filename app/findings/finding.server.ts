import { setImmediate as breathe } from "node:timers/promises";
import type { Insertable, Selectable } from "kysely";
import { insertRows, type RowTypes } from "db/rows";
import type { Db, Trx } from "db/schema";
import type { ElementView, FindingTable, StoredElementTable } from "db/tables/findings";
import { componentKey } from "./component-key.server";
import { sanitizeUntrustedData, sanitizeUntrustedText } from "./untrusted-text";
import {
  CATEGORIES,
  type Category,
  type CheckOutcome,
  type ElementContext,
  type ElementResult,
  type EngineVersion,
  type FindingResult,
  type ShownIn,
} from "~/scan/types";
import { storeTexts } from "./element-text.server";
import { fingerprintOf } from "./fingerprint.server";
import { versionOf } from "./engines";
import { ruleKey } from "./rules/rule-key";
import { worstFindingFirst } from "~/scan/impact";
import { storePictures } from "./evidence.server";
import { NONE_STORED } from "./picture-store.server";

const MAX_HTML_BYTES = 2_048;
/** Maximum number of elements of one finding. */
export const MAX_STORED_ELEMENTS = 1_000;
/** Maximum lengths (characters): a page can make its selectors and messages very long. */
const MAX_SELECTOR = 1_000;
const MAX_MESSAGE = 1_000;
const MAX_CHECK_DATA = 4_096;
const MAX_CONTEXT = 200;
/** Limit for the elements of one page, in bytes: ten times the size of large pages. Hostile pages can exceed it. */
const MAX_PAGE_BYTES = 4_000_000;
/** Limit for one run, in bytes; readers read one page at a time. */
const MAX_RUN_BYTES = 256_000_000;
/** Approximate size of a row without its texts (bytes). */
export const ROW_BYTES = 60;

const ELEMENT_COLUMNS: RowTypes<Insertable<StoredElementTable>> = {
  ...{ page_id: "bigint", category: "text", rule_id: "bigint", position: "bigint" },
  ...{ target: "text", html: "text", html_cut: "bigint", impact: "text", checks: "text", component: "text", place: "text", picture: "text" },
  ...{ html_text: "bigint", checks_text: "bigint", fingerprint: "text" },
};

// Rows per statement, which takes a few milliseconds.
const ROWS_PER_INSERT = 200;

/** Stored element; pictures are read separately. */
export interface StoredElement extends Omit<ElementResult, "picture"> {
  hasPicture?: true;
}

/** Result of one rule on a page. `elements` may be fewer than `elementCount`: limited by the caller and by storage. */
export interface Finding extends FindingResult {
  elements: StoredElement[];
}
export type Findings = Record<Category, Finding[]>;

export type FindingsReader = ReturnType<typeof createFindings>;

/** Reads the findings of a page. The caller has already found its run for the viewer. */
export function createFindings({ db }: { db: Db }) {
  return { ofPage };

  /** Findings of a page, the worst first, each with its first `elements` elements in document order. */
  async function ofPage(pageId: number, { elements: limit }: { elements: number }): Promise<Findings> {
    const rows = await db
      .selectFrom("finding")
      .innerJoin("rule", "rule.id", "finding.rule_id")
      .select(["finding.category", "finding.impact", "finding.element_count", "finding.conditions", "rule.id as rule"])
      .select(["rule.rule_id", "rule.source", "rule.tags", "rule.help", "rule.description", "rule.help_url"])
      .where("finding.page_id", "=", pageId)
      .execute();
    const elements = await firstElements(pageId, limit);

    const findings: Findings = { violations: [], incomplete: [], passes: [], inapplicable: [] };
    for (const row of rows) {
      findings[row.category].push({
        ruleId: row.rule_id,
        source: row.source,
        impact: row.impact,
        tags: JSON.parse(row.tags) as string[],
        help: row.help,
        description: row.description,
        helpUrl: row.help_url,
        elementCount: row.element_count,
        ...(row.conditions === null ? {} : { conditions: JSON.parse(row.conditions) as ShownIn[] }),
        elements: elements.get(`${row.category} ${row.rule}`) ?? [],
      });
    }
    for (const category of CATEGORIES) findings[category].sort(worstFindingFirst);
    return findings;
  }

  async function firstElements(pageId: number, limit: number): Promise<Map<string, StoredElement[]>> {
    const rows = await db
      .selectFrom("finding")
      .innerJoin("element", (join) =>
        join
          .onRef("element.page_id", "=", "finding.page_id")
          .onRef("element.category", "=", "finding.category")
          .onRef("element.rule_id", "=", "finding.rule_id")
          .on("element.position", "<", limit),
      )
      .selectAll("element")
      .where("finding.page_id", "=", pageId)
      .orderBy("element.category")
      .orderBy("element.rule_id")
      .orderBy("element.position")
      .execute();
    const elements = new Map<string, StoredElement[]>();
    for (const row of rows) {
      const finding = `${row.category} ${row.rule_id}`;
      const listed = elements.get(finding);
      if (listed) listed.push(toElement(row));
      else elements.set(finding, [toElement(row)]);
    }
    return elements;
  }
}

/**
 * Stores all findings of a page. Of each finding: the first 1,000 elements, each with at most 2,048 bytes of HTML, within
 * the limits of page and run; violations first.
 * @returns size of elements and pictures, in bytes
 */
export async function storeFindings(
  trx: Trx,
  { runId, pageId }: { runId: string; pageId: number },
  findings: Record<Category, FindingResult[]>,
  engines: EngineVersion[],
  stored = NONE_STORED,
): Promise<number> {
  const { evidence_bytes: present } = await trx
    .selectFrom("run")
    .select("evidence_bytes")
    .where("id", "=", runId)
    .executeTakeFirstOrThrow();
  const { pictures, bytes: pictureBytes } = await storePictures(trx, runId, [...findings.violations, ...findings.incomplete], { stored });
  const rules = await rememberRules(trx, Object.values(findings).flat(), engines);
  const rows: Insertable<FindingTable>[] = [];
  const elements: (() => Insertable<ElementView>)[] = [];
  let room = Math.min(MAX_PAGE_BYTES, MAX_RUN_BYTES - Math.max(0, present) - pictureBytes);
  let bytes = pictureBytes;
  let isFull = false;
  for (const category of CATEGORIES) {
    for (const finding of findings[category]) {
      const key = { page_id: pageId, category, rule_id: rowOf(rules, finding) };
      const conditions = finding.conditions ? JSON.stringify(finding.conditions) : null;
      rows.push({ ...key, impact: finding.impact, element_count: finding.elementCount, conditions });
      for (const [position, element] of finding.elements.slice(0, MAX_STORED_ELEMENTS).entries()) {
        const picture = pictures.get(element) ?? null;
        elements.push(() => ({ ...key, position, ...toColumns(element), picture }));
      }
    }
  }
  for (const batch of batches(rows)) await trx.insertInto("finding").values(batch).execute();
  for (const batch of batches(elements)) {
    const fitting = batch.map((row) => row()).filter(fits);
    if (fitting.length > 0) bytes += await insertElements(trx, runId, fitting);
    // Lets other requests run between inserts of thousands of elements.
    await breathe();
  }
  return bytes;

  /** Whether an element fits. Uses its size before equal texts are shared: readers of the page need that much memory. */
  function fits({ html, target, checks, place }: Insertable<ElementView>): boolean {
    const size = ROW_BYTES + sizeOf(html, target, checks, place ?? "");
    // No elements after the first one that does not fit: the beginning of the page is stored.
    isFull ||= size > room;
    if (isFull) return false;
    room -= size;
    return true;
  }
}

const sizeOf = (...texts: string[]) => texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);

/** @returns their size in bytes */
async function insertElements(trx: Trx, runId: string, elements: Insertable<ElementView>[]): Promise<number> {
  const { ids, bytes } = await storeTexts(trx, runId, elements.flatMap(({ html, checks }) => [html, checks]));
  const inline = (text: string) => (ids.has(text) ? "" : text);
  const rows = elements.map((element) => ({
    ...element,
    html: inline(element.html),
    checks: inline(element.checks),
    html_text: ids.get(element.html) ?? null,
    checks_text: ids.get(element.checks) ?? null,
    fingerprint: element.category === "violations" ? fingerprintOf({ html: element.html, target: JSON.parse(element.target) as ElementResult["target"] }) : null,
  }));
  await insertRows(trx, "stored_element", ELEMENT_COLUMNS, rows);
  return rows.reduce((sum, { html, target, checks, place }) => sum + ROW_BYTES + sizeOf(html, target, checks, place ?? ""), bytes);
}

/** Stores the rules that are new in these engine versions; resolves with the row of each rule by its key. */
async function rememberRules(
  trx: Trx,
  rules: FindingResult[],
  engines: EngineVersion[],
): Promise<Map<string, number>> {
  const known = await knownRules(trx, engines);
  const missing = new Map(
    rules.filter((rule) => !known.has(ruleKey(rule))).map((rule) => [ruleKey(rule), rule]),
  );
  if (missing.size === 0) return known;
  await trx
    .insertInto("rule")
    .values(
      [...missing.values()].map((rule) => ({
        source: rule.source,
        rule_id: rule.ruleId,
        engine_version: versionOf(engines, rule.source),
        tags: JSON.stringify(rule.tags),
        help: rule.help,
        description: rule.description,
        help_url: rule.helpUrl,
      })),
    )
    .execute();
  return knownRules(trx, engines);
}

async function knownRules(trx: Trx, engines: EngineVersion[]): Promise<Map<string, number>> {
  const rows = await trx
    .selectFrom("rule")
    .select(["id", "source", "rule_id", "engine_version"])
    .where("engine_version", "in", engines.map(({ version }) => version))
    .execute();
  const current = rows.filter(({ source, engine_version }) => versionOf(engines, source) === engine_version);
  return new Map(current.map(({ id, source, rule_id }) => [ruleKey({ source, ruleId: rule_id }), id]));
}

function rowOf(rules: Map<string, number>, finding: FindingResult): number {
  const id = rules.get(ruleKey(finding));
  if (id === undefined) throw new Error(`The rule ${ruleKey(finding)} has not been stored.`);
  return id;
}

function* batches<Row>(rows: Row[]): Generator<Row[]> {
  for (let start = 0; start < rows.length; start += ROWS_PER_INSERT)
    yield rows.slice(start, start + ROWS_PER_INSERT);
}

/** Location and conditions of an element. */
type Place = ElementContext & Pick<ElementResult, "conditions">;

function toColumns({ target, html, htmlCut, impact, checks, context, conditions }: ElementResult) {
  const capped = capUtf8(sanitizeUntrustedText(html.slice(0, MAX_HTML_BYTES), MAX_HTML_BYTES), MAX_HTML_BYTES);
  return {
    target: JSON.stringify(sanitizeUntrustedData(target, MAX_SELECTOR)),
    html: capped,
    component: componentKey(capped),
    html_cut: htmlCut || Buffer.byteLength(html) > MAX_HTML_BYTES ? (1 as const) : (0 as const),
    impact,
    checks: JSON.stringify(checks.map(storedCheck)),
    place: context || conditions ? JSON.stringify(sanitizeUntrustedData({ ...context, conditions }, MAX_CONTEXT)) : null,
  };
}

/** Check with limited data. Without data, its message can no longer be translated, but stays readable. */
function storedCheck({ data, message, ...check }: CheckOutcome): CheckOutcome {
  const fits = JSON.stringify(data ?? null).length <= MAX_CHECK_DATA && message.length <= MAX_MESSAGE;
  return {
    ...check,
    data: fits ? sanitizeUntrustedData(data, MAX_MESSAGE) : null,
    message: sanitizeUntrustedText(message, MAX_MESSAGE),
  };
}

/** Longest beginning of a text that fits into `maxBytes` of UTF-8, without half a character at its end. */
function capUtf8(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  let end = maxBytes;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.toString("utf8", 0, end);
}

/** Conditions of an element; what a control of a phone has opened is opened content, too. @param place as stored */
export function conditionsIn(place: string | null): ShownIn[] | undefined {
  const { conditions, opened } = place === null ? ({} as Partial<Place>) : (JSON.parse(place) as Place);
  return opened === undefined ? conditions : conditions?.map((condition) => (condition === "phone" ? "opened" : condition));
}

export function toElement(row: Selectable<ElementView>): StoredElement {
  const { conditions, ...context } = row.place === null ? {} : (JSON.parse(row.place) as Place);
  return {
    target: JSON.parse(row.target) as ElementResult["target"],
    html: row.html,
    htmlCut: row.html_cut === 1,
    impact: row.impact,
    checks: JSON.parse(row.checks) as ElementResult["checks"],
    ...(Object.keys(context).length === 0 ? {} : { context }),
    ...(conditions ? { conditions } : {}),
    ...(row.picture === null ? {} : { hasPicture: true as const }),
  };
}
