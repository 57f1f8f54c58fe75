import type { Acceptance } from "~/findings/acceptance/acceptance";
import type {
  CheckedPage,
  ElementResult,
  FindingResult,
  Impact,
  PageResult,
  UncheckedPage,
} from "~/scan/types";
import { reachedElsewhere } from "~/scan/redirect";
import { addressNotes } from "./addresses";
import { failureText } from "./failure";
import { failureSummary } from "./failure-summary";
import { gapsOf, unlisted, unlistedText } from "./gaps";
import { notesOf } from "./notes";
import { nameOf, targetText, type Judgement, type RunFacts } from "./run";

/** SARIF level by impact. */
const SARIF_LEVEL: Record<Impact, "error" | "warning" | "note"> = {
  critical: "error",
  serious: "error",
  moderate: "warning",
  minor: "note",
};

/** A run as a SARIF 2.1.0 log (https://docs.oasis-open.org/sarif/sarif/v2.1.0/). */
export function sarifLog(run: RunFacts, pages: PageResult[]) {
  const gathered = gathering(run);
  const results = pages.flatMap((page) => gathered.resultsOf(page));
  return { ...FRAME, runs: [{ ...gathered.about(), results }] };
}

/** SARIF log in parts, one page at a time: the rules come after the results that refer to them. */
export async function* sarifParts(run: RunFacts, pages: AsyncIterable<PageResult>): AsyncGenerator<string, void> {
  const gathered = gathering(run);
  yield `${JSON.stringify(FRAME).slice(0, -1)},"runs":[{"results":[`;
  let between = "";
  for await (const page of pages) {
    const results = gathered.resultsOf(page).map((result) => JSON.stringify(result));
    if (results.length === 0) continue;
    yield `${between}${results.join(",\n")}`;
    between = ",\n";
  }
  yield `],${JSON.stringify(gathered.about()).slice(1)}]}\n`;
}

const FRAME = { $schema: "https://json.schemastore.org/sarif-2.1.0.json", version: "2.1.0" };

/** Collects the parts that concern all pages, from one page after the other. */
function gathering(run: RunFacts) {
  const rules = new Map<string, ReturnType<typeof descriptor>>();
  const failures: ReturnType<typeof failureNotice>[] = [];
  const gaps: ReturnType<typeof gapNotices> = [];
  const origins = new Set<string>();

  return {
    resultsOf(page: PageResult) {
      const origin = originOf(page.url);
      if (origin !== null) origins.add(origin);
      if (page.status === "failed") {
        failures.push(failureNotice(page));
        return [];
      }
      for (const finding of findingsOf(page)) {
        if (!rules.has(finding.ruleId)) rules.set(finding.ruleId, descriptor(finding));
      }
      gaps.push(...gapNotices(page));
      return resultsOf(page, run);
    },
    about: () => ({
      tool: {
        driver: { name: run.product, rules: [...rules.values()] },
        ...(run.engines.length > 0 ? { extensions: run.engines } : {}),
      },
      originalUriBaseIds: Object.fromEntries([...origins].map((origin) => [origin, { uri: `${origin}/` }])),
      automationDetails: { id: `${nameOf(run.standard)}/${run.id}` },
      invocations: [
        {
          executionSuccessful: failures.length === 0 && (run.status ?? "succeeded") === "succeeded",
          startTimeUtc: new Date(run.createdAt).toISOString(),
          endTimeUtc: new Date(run.finishedAt).toISOString(),
          toolExecutionNotifications: [...notesOf(run).map(runNotice), ...failures, ...gaps],
        },
      ],
    }),
  };
}

const runNotice = ({ kind, text }: ReturnType<typeof notesOf>[number]) => ({
  level: kind === "canceled" || kind === "broken_off" ? "warning" : "note",
  descriptor: { id: kind },
  message: { text },
});

function failureNotice(page: UncheckedPage) {
  const { reason, detail } = page;
  const what = `Not checked: ${reason}, ${failureText(page)}${detail.technical ? ` (${detail.technical})` : ""}`;
  return {
    level: "error",
    descriptor: { id: reason },
    message: { text: [what, ...addressNotes(page)].join(". ") },
    locations: [{ physicalLocation: { artifactLocation: artifact(page) } }],
  };
}

const gapNotices = (page: CheckedPage) =>
  gapsOf(page).map(({ kind, text, ruleId }) => ({
    level: "warning",
    descriptor: { id: kind },
    ...(ruleId === undefined ? {} : { associatedRule: { id: ruleId } }),
    message: { text },
    locations: [{ physicalLocation: { artifactLocation: artifact(page) } }],
  }));

const findingsOf = ({ findings }: CheckedPage) => [...findings.violations, ...findings.incomplete];

function descriptor({ ruleId, source, help, description, helpUrl, tags }: FindingResult) {
  return {
    id: ruleId,
    shortDescription: { text: help },
    fullDescription: { text: description },
    helpUri: helpUrl,
    properties: { tags, source },
  };
}

function resultsOf(page: CheckedPage, { judgementOf, accepted }: RunFacts) {
  const { violations, incomplete } = page.findings;
  return [
    ...violations.flatMap((finding) => {
      const level = (impact: Impact | null) => SARIF_LEVEL[impact ?? finding.impact ?? "moderate"];
      return resultsIn(page, finding, ({ impact, element }) => ({
        kind: "fail",
        level: level(impact),
        ...suppressed(element ? accepted?.ofElement({ pageUrl: page.url, rule: finding, element }) : accepted?.ofRule(finding)),
      }));
    }),
    ...incomplete.flatMap((finding) =>
      resultsIn(page, finding, ({ element }) =>
        judged(finding, element && judgementOf?.({ pageUrl: page.url, rule: finding, element })),
      ),
    ),
  ];
}

/** Verdict for a result that needs review, with the person's answer if available; only a failure has a level. */
function judged({ impact }: FindingResult, judgement: Judgement | undefined): Verdict {
  if (judgement?.answer === "problem") return { kind: "fail", level: SARIF_LEVEL[impact ?? "moderate"] };
  if (judgement?.answer === "no_problem") return { kind: "pass", level: "none" };
  const justification = judgement?.reason ?? undefined;
  return {
    kind: "review",
    level: "none",
    ...(judgement ? { suppressions: [{ kind: "external" as const, status: "accepted" as const, justification }] } : {}),
  };
}

interface Verdict {
  kind: "fail" | "pass" | "review";
  level: "error" | "warning" | "note" | "none";
  suppressions?: { kind: "external"; status: "accepted"; justification?: string; properties?: Record<string, string | null> }[];
}

/** An acceptance is a suppression in SARIF: external and accepted. */
function suppressed(acceptance: Acceptance | undefined): Pick<Verdict, "suppressions"> {
  if (!acceptance) return {};
  const { kind, scope, lastDay, reason, by, at } = acceptance;
  return { suppressions: [{ kind: "external", status: "accepted", justification: reason, properties: { kind, scope, lastDay, by, at: new Date(at).toISOString() } }] };
}

/** One result per element, and one for all elements that are counted but not listed. */
function resultsIn(
  page: CheckedPage,
  finding: FindingResult,
  verdict: (of: { impact: Impact | null; element?: ElementResult }) => Verdict
) {
  const more = unlisted(finding);
  return [
    ...finding.elements.map((element) => ({
      ...resultOfElement(page, finding, element),
      ...verdict({ impact: element.impact, element }),
    })),
    ...(more > 0
      ? [{ ...result(page, finding, `${unlistedText(finding)}.`), ...verdict({ impact: finding.impact }) }]
      : []),
  ];
}

function resultOfElement(page: CheckedPage, finding: FindingResult, { target, html, checks }: ElementResult) {
  return {
    ...result(page, finding, failureSummary(checks), targetText(target)),
    // Not as a snippet: it needs a region with a line number, which a loaded page does not have.
    properties: { html },
  };
}

function result(page: CheckedPage, { ruleId, help }: FindingResult, text: string, element?: string) {
  return {
    ruleId,
    message: { text: `${help}. ${text}` },
    locations: [
      {
        physicalLocation: { artifactLocation: artifact(page) },
        ...(element === undefined
          ? {}
          : { logicalLocations: [{ fullyQualifiedName: element, kind: "element" }] }),
      },
    ],
  };
}

/**
 * The requested page, relative to its site (SARIF 3.14.14): GitHub's code scanning refuses files with absolute web addresses. An invalid
 * address is not put into a field that requires a valid one.
 */
function artifact(page: PageResult) {
  const reached = reachedElsewhere(page);
  return {
    ...location(page.url),
    ...(reached === null ? {} : { description: { text: `Led to: ${reached}` } }),
  };
}

/** Origin of an address; null if it is not a web address. */
function originOf(address: string): string | null {
  const { origin, protocol } = URL.canParse(address) ? new URL(address) : { origin: null, protocol: "" };
  return /^https?:$/.test(protocol) ? origin : null;
}

function location(address: string) {
  const origin = originOf(address);
  if (origin === null) return { uri: URL.canParse(address) ? new URL(address).href : encodeURI(address) };
  const { pathname, search, hash } = new URL(address);
  // Two slashes would start the name of a host.
  const path = pathname.startsWith("//") ? `/.${pathname}` : pathname;
  return { uri: `${path}${search}${hash}`, uriBaseId: origin };
}
