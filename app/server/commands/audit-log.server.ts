import { createAuditLog } from "~/administration/audit-log.server";
import { openExistingDatabase } from "~/server/storage/database.server";
import { WrongUsage, type Command } from "./command.server";
import { minuteOf, textTable } from "./text-table";

const MOST = 200;

export const auditLog: Command = {
  takes: "[TEXT]",
  does: "lists what administrators did, the latest first; with TEXT, what people did or met whose address contains it",
  async run([text = "", ...rest], { env, say }) {
    if (rest.length > 0) throw new WrongUsage();
    const db = await openExistingDatabase(env());
    try {
      const log = createAuditLog({ db });
      const [entries, total] = [await log.list({ text, limit: MOST }), await log.count({ text })];
      const rows = entries.map(({ at, actor, action, subject, details }) => [
        ...[minuteOf(at), actor, action, subject ?? ""],
        Object.entries(details).map(([name, value]) => `${name}: ${value ?? "as usual"}`).join(", "),
      ]);
      if (total === 0) say("No entry.\n");
      else say(textTable([["WHEN", "WHO", "WHAT", "WHOM", "DETAILS"], ...rows]));
      if (total > MOST) say(`\nThese are ${MOST} of ${total}; the page /admin/audit-log has all.\n`);
      return true;
    } finally {
      await db.destroy();
    }
  },
};
