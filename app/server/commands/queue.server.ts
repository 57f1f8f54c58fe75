import type { QueueRow } from "~/administration/queue.server";
import { isRunState, RUN_STATES } from "~/administration/run-states";
import { WrongUsage, type Command } from "./command.server";
import { withScans } from "./scans.server";
import { minuteOf, MOST_LISTED, textTable } from "./text-table";

export const queue: Command = {
  takes: "[failed | canceled | all]",
  does: "lists the scans that run and wait in all accounts, or other ones",
  async run([state = RUN_STATES[0], ...rest], { env, say }) {
    if (!isRunState(state) || rest.length > 0) throw new WrongUsage();
    return withScans(env(), async (scans) => {
      const [{ rows, next }, { running, waiting, failed }] = [await scans.list({ state, text: "", limit: MOST_LISTED }), await scans.counts()];
      say(`${running} running, ${waiting} waiting, ${failed} failed within 24 hours\n`);
      if (rows.length > 0) say(`\n${textTable([["ID", "STATE", "SINCE", "PAGES", "BY", "ADDRESS"], ...rows.map(cellsOf)])}`);
      if (next !== null) say(`\nThese are the newest ${MOST_LISTED}; the page /admin/queue has all.\n`);
      return true;
    });
  },
};

function cellsOf({ id, status, position, reason, since, pages, knownPages, person, url }: QueueRow): string[] {
  const state = [status, position === null ? null : `(${position})`, reason === null ? null : `(${reason})`].filter(Boolean).join(" ");
  return [id, state, minuteOf(since), `${pages} of ${Math.max(pages, knownPages)}`, person?.email ?? "a visitor", url];
}
