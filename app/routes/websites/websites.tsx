import { data, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { AnswerSummary } from "~/ui/form/answer-summary";
import { KeptNotice } from "~/ui/form/kept-notice";
import { DialogLink } from "~/ui/dialog/dialog-link";
import { NewRun } from "~/runs/view/new-run";
import { Usage } from "~/runs/view/usage";
import { WebsiteFilterForm } from "~/monitoring/view/websites/website-filter";
import { WebsiteTable } from "~/monitoring/view/websites/website-table";
import { PaginationLinks } from "~/reports/view/pagination-links";
import { requireResultAccess, requireEntitled } from "~/billing/guard.server";
import { startCheck } from "~/monitoring/websites/start-check.server";
import { websiteRows } from "~/monitoring/websites/website-rows.server";
import { isWebsiteOrder, isWebsiteState } from "~/monitoring/websites/website";
import { titledMeta } from "~/platform/forms/page-texts.server";
import { readForm } from "~/platform/forms/read-form";
import { pageMeta } from "~/platform/http/page-meta";
import { searchTextOf } from "~/platform/http/search-text";
import { pageCountOf, pageNumberOf } from "~/platform/http/pagination.server";
import { localeOf, textsOf } from "~/platform/i18n/i18n.server";
import { preloadNamespaces } from "~/platform/i18n/preload-namespaces";

export const handle = { i18n: ["websites", "runs", "report"] };
export const clientLoader = preloadNamespaces(["websites", "runs", "report"]);

const PATH = "/websites";
const PER_PAGE = 25;

export async function loader(args: LoaderFunctionArgs) {
  const user = await requireResultAccess(args);
  const { services, visitor } = args.context;
  const t = textsOf(await localeOf(args.request)).getFixedT(null, "websites");
  const filter = filterOf(args.request);
  const found = await services.websites.list(user.id, { ...filter, state: filter.state || undefined });
  const pageCount = pageCountOf(args.request, found.length, PER_PAGE);
  const pageNumber = pageNumberOf(args.request);
  return data({
    meta: await titledMeta(args, { title: t("title"), description: t("description") }),
    kept: (await visitor.takeKept(PATH)) !== null,
    websites: await websiteRows(services, user.id, found.slice((pageNumber - 1) * PER_PAGE, pageNumber * PER_PAGE)),
    count: found.length,
    filter,
    pageNumber,
    pageCount,
    entitlement: await services.scanRequests.entitlementOf(user.id),
  });
}

/** Scans one website again; the page stays. */
export async function action(args: ActionFunctionArgs) {
  const user = await requireEntitled(args);
  return startCheck(args, user.id, await readForm(args.request), listPath(filterOf(args.request), pageNumberOf(args.request)));
}

function filterOf(request: Request) {
  const query = new URL(request.url).searchParams;
  const [state, order] = [query.get("state") ?? "", query.get("order") ?? ""];
  return {
    text: searchTextOf(request),
    state: isWebsiteState(state) ? state : ("" as const),
    order: isWebsiteOrder(order) ? order : ("name" as const),
  };
}

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function Websites() {
  const { kept, websites, count, filter, pageNumber, pageCount, entitlement } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { t } = useTranslation("websites");
  const isEmpty = count === 0 && filter.text === "" && filter.state === "";
  return (
    <article className="runs-page wrap">
      <AnswerSummary answer={answer} />
      <header className="page-head">
        <h1>{t("heading")}</h1>
        {!isEmpty && (
          <DialogLink className="button" to="/runs/new" view={NewRun}>
            {t("add")}
          </DialogLink>
        )}
      </header>
      {kept && !answer && <KeptNotice isButton />}
      <Usage {...entitlement} />
      {isEmpty ? (
        <section className="empty-state">
          <h2>{t("empty.heading")}</h2>
          <p>{t("empty.text")}</p>
          <DialogLink className="button" to="/runs/new" view={NewRun}>
            {t("empty.action")}
          </DialogLink>
        </section>
      ) : (
        <>
          <WebsiteFilterForm {...filter} />
          <p>{t("count", { count })}</p>
          {count > 0 && <WebsiteTable websites={websites} path={listPath(filter, pageNumber)} />}
          <PaginationLinks pageNumber={pageNumber} pageCount={pageCount} to={(wanted) => listPath(filter, wanted)} />
        </>
      )}
    </article>
  );
}

function listPath({ text, state, order }: ReturnType<typeof filterOf>, pageNumber: number): string {
  const query = new URLSearchParams({ ...(text && { q: text }), ...(state && { state }), ...(order !== "name" && { order }), ...(pageNumber > 1 && { part: String(pageNumber) }) });
  return query.size > 0 ? `${PATH}?${query}` : PATH;
}
