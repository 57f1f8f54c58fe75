import { data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { auditFilterOf } from "~/administration/audit-filter.server";
import { AUDIT_ACTIONS, AUDIT_KEPT_DAYS } from "~/administration/audit-log.server";
import { refuseForms, requireAdministrator } from "~/administration/guard.server";
import { administrationMeta } from "~/administration/page-meta.server";
import { AdministrationPage } from "~/administration/view/administration-page";
import { AuditFilter } from "~/administration/view/audit-filter";
import { AuditTable } from "~/administration/view/audit-table";
import { pageMeta } from "~/platform/http/page-meta";
import { pageCountOf, pageNumberOf } from "~/platform/http/pagination.server";
import { preloadNamespaces } from "~/platform/i18n/preload-namespaces";
import { PaginationLinks } from "~/reports/view/pagination-links";

export const handle = { i18n: ["admin", "report"] };
export const clientLoader = preloadNamespaces(["admin", "report"]);

const PATH = "/admin/audit-log";
const PER_PAGE = 50;

export async function loader(args: LoaderFunctionArgs) {
  await requireAdministrator(args);
  const { auditLog } = args.context.services;
  const filter = auditFilterOf(args.request);
  const query = { text: filter.text, action: filter.action || undefined };
  const pageNumber = pageNumberOf(args.request);
  const total = await auditLog.count(query);
  return data({
    meta: await administrationMeta(args, "audit"),
    ...{ filter, total, pageNumber, pageCount: pageCountOf(args.request, total, PER_PAGE) },
    entries: await auditLog.list({ ...query, offset: (pageNumber - 1) * PER_PAGE, limit: PER_PAGE }),
    actions: [...AUDIT_ACTIONS],
    keptDays: AUDIT_KEPT_DAYS,
  });
}

export const action = refuseForms;

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function AuditLogPage() {
  const { filter, entries, total, pageNumber, pageCount, actions, keptDays } = useLoaderData<typeof loader>();
  const { t } = useTranslation("admin");
  const query = { ...(filter.text && { q: filter.text }), ...(filter.action && { action: filter.action }) };
  return (
    <AdministrationPage heading={t("audit.heading")}>
      <p className="prose-line">{t("audit.kept", { days: keptDays })}</p>
      <AuditFilter {...filter} actions={actions} />
      <p>{total === 0 ? t("audit.none") : t("audit.count", { count: total })}</p>
      {total > 0 && (
        <>
          <AuditTable entries={entries} />
          <p>
            <a className="target" href={`${PATH}.csv?${new URLSearchParams(query)}`} download>
              {t("audit.download")}
            </a>
          </p>
        </>
      )}
      <PaginationLinks pageNumber={pageNumber} pageCount={pageCount} to={(wanted) => `${PATH}?${new URLSearchParams({ ...query, part: String(wanted) })}`} />
    </AdministrationPage>
  );
}
