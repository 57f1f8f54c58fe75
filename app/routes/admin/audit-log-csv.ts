import type { LoaderFunctionArgs } from "@remix-run/node";
import { auditCsv } from "~/administration/audit-csv.server";
import { auditFilterOf } from "~/administration/audit-filter.server";
import { refuseForms, requireAdministrator } from "~/administration/guard.server";
import { attachment } from "~/platform/http/content-disposition";
import { localeOf } from "~/platform/i18n/i18n.server";
import { streamOf } from "~/reports/exports/answer.server";

/** Audit log as a file, with the filter of its page. */
export async function loader(args: LoaderFunctionArgs) {
  const actor = await requireAdministrator(args);
  const { services, drained } = args.context;
  const { text, action } = auditFilterOf(args.request);
  await services.auditLog.note({ actor, action: "audit_exported" });
  const parts = auditCsv(services.auditLog, { text, action: action || undefined }, await localeOf(args.request));
  return new Response(streamOf(parts, { drained, signal: args.request.signal }), {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": attachment("rampe-audit-log.csv"),
      "Cache-Control": "private, no-store",
    },
  });
}

export const action = refuseForms;
