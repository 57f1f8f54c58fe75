import type { Acceptances } from "~/findings/acceptance/acceptances.server";
import { IMPACTS, type Impact } from "~/scan/types";

interface Summed {
  id: string;
  stats: { violations: number; violatedRules: number; elements: number; accepted: number; impacts: Record<Impact, number> };
}

/** The same runs, with the accepted elements subtracted from their sums. */
export async function withoutAccepted<Run extends Summed>(acceptances: Pick<Acceptances, "ofRuns">, runs: Run[]): Promise<Run[]> {
  const accepted = await acceptances.ofRuns(runs.map(({ id }) => id));
  return runs.map((run) => {
    const taken = accepted.get(run.id)?.sums;
    if (!taken) return run;
    const { violations, violatedRules, elements, impacts } = run.stats;
    const open = Object.fromEntries(IMPACTS.map((impact) => [impact, impacts[impact] - taken.impacts[impact]])) as Record<Impact, number>;
    const stats = { violations: violations - taken.findings, violatedRules: violatedRules - taken.rules, elements: elements - taken.elements, impacts: open, accepted: taken.elements };
    return { ...run, stats: { ...run.stats, ...stats } };
  });
}
