import type { CheckedPage, ElementResult, FindingResult, Impact, PageResult } from "~/scan/types";
import { failureSummary } from "./failure-summary";
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
            toolExecutionNotifications: failed.map(({ url, reason, detail }) => ({
              level: "error",
              descriptor: { id: reason },
              message: { text: `Not checked: ${reason}${detail.technical ? ` (${detail.technical})` : ""}` },
              locations: [{ physicalLocation: { artifactLocation: artifact(url) } }],
            })),
          },
        ],
        results: checked.flatMap(resultsOf),
      },
    ],
  };
}

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
    ...violations.flatMap((finding) =>
      finding.elements.map((element) => ({
        ...result(page, finding, element),
        kind: "fail",
        level: SARIF_LEVEL[element.impact ?? finding.impact ?? "moderate"],
      })),
    ),
    // What needs a person's eyes; such a result has no level.
    ...incomplete.flatMap((finding) =>
      finding.elements.map((element) => ({
        ...result(page, finding, element),
        kind: "review",
        level: "none",
      })),
    ),
  ];
}

function result(page: CheckedPage, { ruleId, help }: FindingResult, { target, html, checks }: ElementResult) {
  return {
    ruleId,
    message: { text: `${help}. ${failureSummary(checks)}` },
    locations: [
      {
        physicalLocation: { artifactLocation: artifact(page.finalUrl) },
        logicalLocations: [{ fullyQualifiedName: targetText(target), kind: "element" }],
      },
    ],
    // A snippet belongs to a region, which wants a line number that a loaded page does not have.
    properties: { html },
  };
}

/** An address that is none is kept out of a field that must hold one. */
const artifact = (url: string) => ({ uri: URL.canParse(url) ? new URL(url).href : encodeURI(url) });
