import { auditCsv } from "~/administration/audit-csv.server";
import { COMMAND_LINE, createAuditLog, type AuditLog, type NewAuditEntry } from "~/administration/audit-log.server";
import type { Env } from "~/platform/env.server";
import { messageOf } from "~/server/checks/check.server";
import { withDatabase, WrongUsage, type Command, type CommandContext } from "./command.server";
import { minuteOf, moreThanListed, MOST_LISTED, textTable } from "./text-table";

const CSV = "--csv";

export const auditLog: Command = {
  takes: `[${CSV}] [TEXT]`,
  does: `lists what administrators did, the latest first; with TEXT, what people did or met whose address contains it; with ${CSV} all of it as CSV`,
  async run(args, { env, say }) {
    const isCsv = args[0] === CSV;
    const [text = "", ...rest] = isCsv ? args.slice(1) : args;
    if (rest.length > 0 || text.startsWith("--")) throw new WrongUsage();
    return withAuditLog(env(), async (log) => {
      if (isCsv) await writeCsv(log, text, say);
      else await writeTable(log, text, say);
      return true;
    });
  },
};

async function writeCsv(log: AuditLog, text: string, say: (text: string) => void): Promise<void> {
  await log.note({ actor: COMMAND_LINE, action: "audit_exported" });
  for await (const part of auditCsv(log, { text }, "en")) say(part);
}

async function writeTable(log: AuditLog, text: string, say: (text: string) => void): Promise<void> {
  const [entries, total] = [await log.list({ text, limit: MOST_LISTED }), await log.count({ text })];
  const rows = entries.map(({ at, actor, action, subject, details }) => [
    ...[minuteOf(at), actor, action, subject ?? ""],
    Object.entries(details).map(([name, value]) => `${name}: ${value ?? "as usual"}`).join(", "),
  ]);
  if (total === 0) say("No entry.\n");
  else say(textTable([["WHEN", "WHO", "WHAT", "WHOM", "DETAILS"], ...rows]) + moreThanListed(total, `${CSV} and the page /admin/audit-log have`));
}

/** Records what a command has done outside of the database. If that fails, the action stays done, and a message says so. */
export async function noteBeside({ env, complain }: CommandContext, entry: Omit<NewAuditEntry, "actor">): Promise<void> {
  try {
    await withAuditLog(env(), (log) => log.note({ actor: COMMAND_LINE, ...entry }));
  } catch (error) {
    complain(`The audit log could not note this. ${messageOf(error)}\n`);
  }
}

function withAuditLog<Result>(env: Env, work: (log: AuditLog) => Promise<Result>): Promise<Result> {
  return withDatabase(env, (db) => work(createAuditLog({ db })));
}
