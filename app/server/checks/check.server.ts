/** Result of a check. `fact` and `todo` are short texts for the operator. */
export type CheckResult = { state: "ok"; fact?: string; date?: Date } | { state: "failed"; todo: string } | { state: "not set"; fact?: string };

export const ok = (fact?: string, date?: Date): CheckResult => ({ state: "ok", fact, date });
export const failed = (todo: string): CheckResult => ({ state: "failed", todo });
export const notSet = (fact?: string): CheckResult => ({ state: "not set", fact });

/** Line of a check, such as `mail           failed: …`. */
export function lineOf(name: string, result: CheckResult): string {
  const more = result.state === "failed" ? `: ${result.todo}` : result.fact ? ` (${result.fact})` : "";
  return `${name.padEnd(14)} ${result.state}${more.replaceAll(/\s+/g, " ")}\n`;
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
