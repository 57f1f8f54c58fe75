import type {
  CheckedPage,
  ElementResult,
  FindingResult,
  Impact,
  PageResult,
  UncheckedPage,
} from "~/scan/types";
import { failureSummary } from "./failure-summary";
import { gapsOf, unlisted } from "./gaps";
import { nameOf, targetText, type RunFacts } from "./run";

/** How grave a violation is in SARIF's words. */
const SARIF_LEVEL: Record<Impact, "error" | "warning" | "note"> = {
  critical: "error",
  serious: "error",
  moderate: "warning",
  minor: "note",
};

/** A run as a SARIF 2.1.0 log (https://docs.oasis-open.org/sarif/sarif/v2.1.0/). */
export function sarifLog(run: RunFacts, pages: PageResult[]) {
  const checked = pages.filter((page) => page.status === "succeeded");
  const failed = pages.filter((page) => page.status === "failed");
  const rules = new Map(checked.flatMap(findingsOf).map((finding) => [finding.ruleId, finding]));
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: run.product,
            rules: [...rules.values()].map(descriptor),
          },
          extensions: [{ name: run.engine.name, version: run.engine.version }],
        },
        automationDetails: { id: `${nameOf(run.standard)}/${run.id}` },
        invocations: [
          {
            executionSuccessful: failed.length === 0,
            startTimeUtc: new Date(run.createdAt).toISOString(),
            endTimeUtc: new Date(run.finishedAt).toISOString(),
            toolExecutionNotifications: [...failed.map(failureNotice), ...checked.flatMap(gapNotices)],
          },
        ],
        results: checked.flatMap(resultsOf),
      },
    ],
  };
}

function failureNotice({ url, reason, detail }: UncheckedPage) {
  return {
    level: "error",
    descriptor: { id: reason },
    message: { text: `Not checked: ${reason}${detail.technical ? ` (${detail.technical})` : ""}` },
    locations: [{ physicalLocation: { artifactLocation: artifact(url) } }],
  };
}

const gapNotices = (page: CheckedPage) =>
  gapsOf(page).map(({ kind, text, ruleId }) => ({
    level: "warning",
    descriptor: { id: kind },
    ...(ruleId === undefined ? {} : { associatedRule: { id: ruleId } }),
    message: { text },
    locations: [{ physicalLocation: { artifactLocation: artifact(page.finalUrl) } }],
  }));

const findingsOf = ({ findings }: CheckedPage) => [...findings.violations, ...findings.incomplete];

function descriptor({ ruleId, help, description, helpUrl, tags }: FindingResult) {
  return {
    id: ruleId,
    shortDescription: { text: help },
    fullDescription: { text: description },
    helpUri: helpUrl,
    properties: { tags },
  };
}

function resultsOf(page: CheckedPage) {
  const { violations, incomplete } = page.findings;
  return [
    ...violations.flatMap((finding) => {
      const level = (impact: Impact | null) => SARIF_LEVEL[impact ?? finding.impact ?? "moderate"];
      return resultsIn(page, finding, (impact) => ({ kind: "fail", level: level(impact) }));
    }),
    // What needs a person's eyes; such a result has no level.
    ...incomplete.flatMap((finding) => resultsIn(page, finding, () => ({ kind: "review", level: "none" }))),
  ];
}

/** One for each element, and one for all those that are counted but not listed. */
function resultsIn(
  page: CheckedPage,
  finding: FindingResult,
  verdict: (impact: Impact | null) => { kind: string; level: string }
) {
  const more = unlisted(finding);
  return [
    ...finding.elements.map((element) => ({
      ...resultOfElement(page, finding, element),
      ...verdict(element.impact),
    })),
    ...(more > 0
      ? [{ ...result(page, finding, `${more} more elements are not listed.`), ...verdict(finding.impact) }]
      : []),
  ];
}

function resultOfElement(page: CheckedPage, finding: FindingResult, { target, html, checks }: ElementResult) {
  return {
    ...result(page, finding, failureSummary(checks), targetText(target)),
    // A snippet belongs to a region, which wants a line number that a loaded page does not have.
    properties: { html },
  };
}

function result(page: CheckedPage, { ruleId, help }: FindingResult, text: string, element?: string) {
  return {
    ruleId,
    message: { text: `${help}. ${text}` },
    locations: [
      {
        physicalLocation: { artifactLocation: artifact(page.finalUrl) },
        ...(element === undefined
          ? {}
          : { logicalLocations: [{ fullyQualifiedName: element, kind: "element" }] }),
      },
    ],
  };
}

/** An address that is none is kept out of a field that must hold one. */
const artifact = (url: string) => ({ uri: URL.canParse(url) ? new URL(url).href : encodeURI(url) });
