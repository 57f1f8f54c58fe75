import { data, redirect, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { z } from "zod";
import { AnswerSummary } from "~/ui/form/answer-summary";
import { DialogLink } from "~/ui/dialog/dialog-link";
import { NewRun } from "~/runs/view/new-run";
import { Usage } from "~/runs/view/usage";
import { WebsiteFilterForm } from "~/monitoring/view/websites/website-filter";
import { WebsiteTable } from "~/monitoring/view/websites/website-table";
import { PaginationLinks } from "~/reports/view/pagination-links";
import { requireBuyer, requireEntitled } from "~/billing/guard.server";
import { checkNow } from "~/monitoring/websites/check-now.server";
import { websiteRows } from "~/monitoring/websites/website-rows.server";
import { isWebsiteOrder, isWebsiteState, originOf } from "~/monitoring/websites/website";
import { parseSentForm } from "~/platform/forms/form-answer.server";
import { titledMeta } from "~/platform/forms/page-texts.server";
import { readForm } from "~/platform/forms/read-form";
import { pageMeta } from "~/platform/http/page-meta";
import { pageOf, paginationOf } from "~/platform/http/pagination.server";
import { localeOf, textsOf } from "~/platform/i18n/i18n.server";
import { preloadNamespaces } from "~/platform/i18n/preload-namespaces";

export const handle = { i18n: ["websites", "runs", "report"] };
export const clientLoader = preloadNamespaces(["websites", "runs", "report"]);

const PER_PAGE = 25;
const MAX_SEARCH = 200;
const NO_SPACE_RETRY_MS = 600_000;

export async function loader(args: LoaderFunctionArgs) {
  const user = await requireBuyer(args);
  const { services } = args.context;
  const t = textsOf(await localeOf(args.request)).getFixedT(null, "websites");
  const filter = filterOf(args.request);
  const found = await services.websites.list(user.id, { ...filter, state: filter.state || undefined });
  const parts = paginationOf(args.request, found.length, PER_PAGE);
  const part = pageOf(args.request);
  return data({
    meta: await titledMeta(args, { title: t("title"), description: t("description") }),
    websites: await websiteRows(services, user.id, found.slice((part - 1) * PER_PAGE, part * PER_PAGE)),
    count: found.length,
    filter,
    part,
    parts,
    entitlement: await services.scanRequests.entitlementOf(user.id),
  });
}

/** Checks one website again; the page stays. */
export async function action(args: ActionFunctionArgs) {
  const user = await requireEntitled(args);
  const { request, context } = args;
  const { services, visitor } = context;
  const t = textsOf(await localeOf(request)).getFixedT(null, "runs");
  const describe = (problem: string) => t(`problem.${problem as "full"}`, { mostWaiting: services.env.SCAN_WAITING_PER_ACCOUNT });
  const sent = await parseSentForm(request, context, await readForm(request), z.object({ website: z.string().catch("") }), describe);
  const id = sent.value?.website ?? "";
  const origin = originOf(id);
  const website = origin === null ? undefined : await services.websites.find(user.id, origin);
  if (!website) throw data(null, { status: 404 });
  const answer = await checkNow(services, user.id, website);
  if (answer.kind === "refused") {
    return answer.why === "no_space" ? sent.postpone("no_space", Date.now() + NO_SPACE_RETRY_MS) : sent.refuse({ [`check-${id}`]: answer.why });
  }
  if (answer.kind === "open") return redirect(`/run/${answer.run.id}`, 303);
  if (answer.registered) {
    // The provider is updated in the background, with retries until it succeeds.
    services.billing?.writeUrls().catch((error: unknown) => context.log.error({ err: error }, "URLs were not written"));
  }
  await visitor.flash({ text: "checkStarted", kind: "done" });
  return redirect(listPath(filterOf(request), pageOf(request)), 303);
}

function filterOf(request: Request) {
  const query = new URL(request.url).searchParams;
  const [state, order] = [query.get("state") ?? "", query.get("order") ?? ""];
  return {
    text: (query.get("q") ?? "").trim().slice(0, MAX_SEARCH),
    state: isWebsiteState(state) ? state : ("" as const),
    order: isWebsiteOrder(order) ? order : ("name" as const),
  };
}

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function Websites() {
  const { websites, count, filter, part, parts, entitlement } = useLoaderData<typeof loader>();
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
          {count > 0 && <WebsiteTable websites={websites} path={listPath(filter, part)} />}
          <PaginationLinks part={part} parts={parts} to={(wanted) => listPath(filter, wanted)} />
        </>
      )}
    </article>
  );
}

function listPath({ text, state, order }: ReturnType<typeof filterOf>, part: number): string {
  const query = new URLSearchParams({ ...(text && { q: text }), ...(state && { state }), ...(order !== "name" && { order }), ...(part > 1 && { part: String(part) }) });
  return query.size > 0 ? `/websites?${query}` : "/websites";
}
