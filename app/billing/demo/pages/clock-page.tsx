import { Action, Fact } from "./page";
import type { Voice } from "./texts";

/** Actions that the page offers. */
export type ClockAction =
  | "finalize"
  | "renew"
  | "fail"
  | "recover"
  | "give-up"
  | "cancel"
  | "cancel-at-end"
  | "end-period"
  | "pause"
  | "resume"
  | "settle"
  | "refund"
  | "dispute"
  | "dispute-won"
  | "dispute-lost";

interface ClockPageProps {
  voice: Voice;
  /** Facts to show, as name and value. */
  facts: [name: string, value: string][];
  actions: ClockAction[];
}

export function ClockPage({ voice: { t }, facts, actions }: ClockPageProps) {
  return (
    <>
      <p>{actions.length > 0 ? t.clock.intro : t.clock.nothing}</p>
      <dl>
        {facts.map(([name, value]) => (
          <Fact key={name} name={name} value={value} />
        ))}
      </dl>
      <div className="actions">
        {actions.map((action) => (
          <Action key={action} name={action} label={t.clock[action]} />
        ))}
      </div>
    </>
  );
}
