import type { ClockAction } from "~/billing/demo/lifecycle/clock";
import { Action, Fact } from "./page";
import type { Texts } from "./page-context";

interface ClockPageProps {
  t: Texts;
  /** Facts to show, as name and value. */
  facts: [name: string, value: string][];
  actions: ClockAction[];
}

export function ClockPage({ t, facts, actions }: ClockPageProps) {
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
