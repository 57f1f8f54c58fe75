import type { Locale } from "~/platform/i18n/i18n";
import { textsOf } from "~/platform/i18n/i18n.server";
import { BYTE_ORDER_MARK, csvLine, separatorOf } from "~/reports/exports/csv-line";
import { auditDetail } from "./audit-detail";
import { COMMAND_LINE, type AuditLog } from "./audit-log.server";

const COLUMNS = ["at", "actor", "action", "subject", "details"] as const;
const BATCH_SIZE = 500;

type Filter = Omit<Parameters<AuditLog["list"]>[0], "offset" | "limit">;

/** Audit log as a CSV table in chunks, the latest entry first. Headings, kinds and separators in the reader's language; times in UTC (ISO 8601). */
export async function* auditCsv(log: AuditLog, filter: Filter, locale: Locale): AsyncGenerator<string, void> {
  const t = textsOf(locale).getFixedT(null, "admin");
  const line = csvLine(separatorOf(locale));
  yield `${BYTE_ORDER_MARK}${line(COLUMNS.map((column) => t(`audit.column.${column}`)))}`;
  // New entries would shift the others by one.
  const until = Date.now();
  for (let offset = 0; ; offset += BATCH_SIZE) {
    const entries = await log.list({ ...filter, until, offset, limit: BATCH_SIZE });
    yield entries
      .map(({ at, actor, action, subject, details }) =>
        line([
          new Date(at).toISOString(),
          actor === COMMAND_LINE ? t("audit.commandLine") : actor,
          t(`audit.action.${action}`),
          subject ?? "",
          Object.entries(details).map((detail) => auditDetail(t, locale, detail)).join("; "),
        ]),
      )
      .join("");
    if (entries.length < BATCH_SIZE) return;
  }
}
