import type { AcceptedInRun } from "~/findings/acceptance/accepted-findings.server";
import type { Acceptances } from "~/findings/acceptance/acceptances.server";
import { IMPACTS, type Impact } from "~/scan/types";

interface Summed {
  id: string;
  stats: { violations: number; violatedRules: number; elements: number; accepted: number; impacts: Record<Impact, number> };
}

/** The same runs, with the accepted elements subtracted from their sums. */
export async function withoutAccepted<Run extends Summed>(acceptances: Pick<Acceptances, "ofRuns">, runs: Run[]): Promise<Run[]> {
  const accepted = await acceptances.ofRuns(runs.map(({ id }) => id));
  return runs.map((run) => subtractAccepted(run, accepted.get(run.id)));
}

/** The same run, with its accepted elements subtracted from its sums. */
export function subtractAccepted<Run extends Summed>(run: Run, accepted: AcceptedInRun | undefined): Run {
  if (!accepted) return run;
  const { sums } = accepted;
  const { violations, violatedRules, elements, impacts } = run.stats;
  const open = Object.fromEntries(IMPACTS.map((impact) => [impact, impacts[impact] - sums.impacts[impact]])) as Record<Impact, number>;
  const stats = { violations: violations - sums.findings, violatedRules: violatedRules - sums.rules, elements: elements - sums.elements, impacts: open, accepted: sums.elements };
  return { ...run, stats: { ...run.stats, ...stats } };
}
