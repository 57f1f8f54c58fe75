import { data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Form, Link, useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { DialogLink } from "~/ui/dialog/dialog-link";
import { Icon } from "~/ui/icon";
import { NewRun } from "~/runs/view/new-run";
import { RunFilterForm } from "~/runs/view/run-filter";
import { RunTable } from "~/runs/view/run-table";
import { Usage } from "~/runs/view/usage";
import { requireResultAccess } from "~/billing/guard.server";
import { searchTextOf } from "~/platform/http/search-text";
import { localeOf, textsOf } from "~/platform/i18n/i18n.server";
import { pageMeta } from "~/platform/http/page-meta";
import { titledMeta } from "~/platform/forms/page-texts.server";
import { methodNotAllowed } from "~/platform/http/method-not-allowed";
import { runRows } from "~/reports/run-rows.server";
import { isRunStatus } from "~/runs/run-view";
import { preloadNamespaces } from "~/platform/i18n/preload-namespaces";
import { UNDO_MINUTES } from "~/runs/list.server";

export const handle = { i18n: ["runs", "check"] };
export const clientLoader = preloadNamespaces(["runs", "check"]);

const PER_PAGE = 50;

export async function loader(args: LoaderFunctionArgs) {
  const user = await requireResultAccess(args);
  const { runLists, pages, scanRequests, scheduleLists } = args.context.services;
  const query = new URL(args.request.url).searchParams;
  const text = searchTextOf(args.request);
  const status = query.get("status") ?? "";
  const before = query.get("before");
  const t = textsOf(await localeOf(args.request)).getFixedT(null, "runs");
  const [{ runs, next }, removal, entitlement, scheduled] = await Promise.all([
    runLists.list(user.id, { text, status: isRunStatus(status) ? status : undefined, before, limit: PER_PAGE }),
    runLists.latestRemoval(user.id),
    scanRequests.entitlementOf(user.id),
    scheduleLists.count(user.id),
  ]);
  return data({
    meta: await titledMeta(args, { title: t("list.title"), description: t("list.description") }),
    runs: await runRows(runs, pages),
    filter: { text, status: isRunStatus(status) ? status : "" },
    next,
    isFirst: before === null,
    removal,
    undoMinutes: UNDO_MINUTES,
    entitlement,
    scheduled,
  });
}

export const action = methodNotAllowed;

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function RunList() {
  const { runs, filter, next, isFirst, removal, undoMinutes, entitlement, scheduled } = useLoaderData<typeof loader>();
  const { t } = useTranslation("runs");
  const isFiltered = filter.text !== "" || filter.status !== "";
  const isEmpty = runs.length === 0 && !isFiltered && isFirst;

  return (
    <article className="runs-page wrap">
      <header className="page-head">
        <h1>{t("list.heading")}</h1>
        {!isEmpty && (
          <DialogLink className="button" to="/runs/new" view={NewRun}>
            {t("list.new")}
          </DialogLink>
        )}
      </header>
      {/* In the page before the message: otherwise, assistive technology does not announce it. */}
      <div role="status">
        {removal && (
          <Form className="notice" method="post" action="/runs/restore">
            <Icon name="check" />
            <p>{t("list.removed", { count: removal.count, minutes: undoMinutes })}</p>
            <button className="button button-quiet" type="submit" name="at" value={removal.at}>
              {t("list.undo")}
            </button>
          </Form>
        )}
      </div>
      <Usage {...entitlement} />
      {scheduled > 0 && (
        <p>
          <Link className="target" to="/runs/schedules">
            {t("list.schedules", { count: scheduled })}
          </Link>
        </p>
      )}
      {isEmpty ? (
        <section className="empty-state">
          <h2>{t("list.empty.heading")}</h2>
          <p>{t("list.empty.text")}</p>
          <DialogLink className="button" to="/runs/new" view={NewRun}>
            {t("list.empty.action")}
          </DialogLink>
        </section>
      ) : (
        <>
          <RunFilterForm {...filter} />
          {runs.length === 0 ? <p>{t("list.noMatch")}</p> : <RunTable runs={runs} />}
          {(!isFirst || next !== null) && (
            <nav className="pager" aria-label={t("list.pages")}>
              {!isFirst && <Link to={pageLink(filter, null)}>{t("list.newest")}</Link>}{" "}
              {next !== null && <Link to={pageLink(filter, next)}>{t("list.older")}</Link>}
            </nav>
          )}
        </>
      )}
    </article>
  );
}

function pageLink({ text, status }: { text: string; status: string }, before: string | null): string {
  const query = new URLSearchParams({ ...(text && { q: text }), ...(status && { status }), ...(before && { before }) });
  return query.size > 0 ? `/runs?${query}` : "/runs";
}
