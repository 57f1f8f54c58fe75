import type { CheckOutcome } from "~/scan/types";

/** Tasks in axe-core's English wording (its `failureSummary`). */
export function failureSummary(checks: CheckOutcome[]): string {
  const all = checks
    .filter(({ group }) => group === "none")
    .concat(checks.filter(({ group }) => group === "all"));
  const any = checks.filter(({ group }) => group === "any");
  return [listing("Fix all of the following:", all), listing("Fix any of the following:", any)]
    .filter((text) => text !== "")
    .join("\n\n");
}

function listing(heading: string, checks: CheckOutcome[]): string {
  if (checks.length === 0) return "";
  return [heading, ...checks.map(({ message }) => `  ${message.replaceAll("\n", "\n  ")}`)].join("\n");
}
