import { data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { refuseForms, requireAdministrator } from "~/administration/guard.server";
import { administrationMeta } from "~/administration/page-meta.server";
import { isRunState, RUN_STATES } from "~/administration/run-states";
import { AdministrationPage } from "~/administration/view/administration-page";
import { InstallationFacts } from "~/administration/view/installation-facts";
import { QueueFilter } from "~/administration/view/queue-filter";
import { QueueTable } from "~/administration/view/queue-table";
import { pageMeta } from "~/platform/http/page-meta";
import { searchTextOf } from "~/platform/http/search-text";
import { preloadNamespaces } from "~/platform/i18n/preload-namespaces";
import { productName } from "~/platform/product-name.server";

export const handle = { i18n: ["admin", "runs", "report"] };
export const clientLoader = preloadNamespaces(["admin", "runs", "report"]);

const PATH = "/admin/queue";
const PER_PAGE = 50;

export async function loader(args: LoaderFunctionArgs) {
  await requireAdministrator(args);
  const { queueOverview, health } = args.context.services;
  const query = new URL(args.request.url).searchParams;
  const text = searchTextOf(args.request);
  const wanted = query.get("state") ?? "";
  const state = isRunState(wanted) ? wanted : RUN_STATES[0];
  const before = query.get("before");
  const [{ rows, next }, counts, parts] = await Promise.all([
    queueOverview.list({ state, text, before, limit: PER_PAGE }),
    queueOverview.counts(),
    health(),
  ]);
  return data({
    meta: await administrationMeta(args, "queue"),
    ...{ rows, next, filter: { text, state }, isFirst: before === null },
    facts: { counts, health: parts, version: productName() },
  });
}

export const action = refuseForms;

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function Queue() {
  const { rows, next, filter, isFirst, facts } = useLoaderData<typeof loader>();
  const { t } = useTranslation("admin");
  const at = (before: string | null) =>
    `${PATH}?${new URLSearchParams({ ...(filter.text && { q: filter.text }), state: filter.state, ...(before && { before }) })}`;
  return (
    <AdministrationPage heading={t("queue.heading")}>
      <InstallationFacts {...facts} />
      <QueueFilter {...filter} />
      {rows.length === 0 ? <p>{t("queue.none")}</p> : <QueueTable rows={rows} />}
      {(!isFirst || next !== null) && (
        <nav className="pager" aria-label={t("queue.pages")}>
          {!isFirst && <Link to={at(null)}>{t("queue.newest")}</Link>}
          {next !== null && <Link to={at(next)}>{t("queue.older")}</Link>}
        </nav>
      )}
    </AdministrationPage>
  );
}
