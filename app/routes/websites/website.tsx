import { data, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { AnswerSummary } from "~/ui/form/answer-summary";
import { KeptNotice } from "~/ui/form/kept-notice";
import { RepeatedScan } from "~/monitoring/view/repeated-scan";
import { ScheduleList } from "~/monitoring/view/schedule-list";
import { TrendPicture } from "~/monitoring/view/trend-picture";
import { CheckNow } from "~/monitoring/view/websites/check-now";
import { LastResult } from "~/monitoring/view/websites/last-result";
import { WhatChanged } from "~/monitoring/view/websites/what-changed";
import { RunTable } from "~/runs/view/run-table";
import { requireResultAccess, requireEntitled } from "~/billing/guard.server";
import { nextRunOf } from "~/monitoring/websites/check-now.server";
import { startCheck } from "~/monitoring/websites/start-check.server";
import { trendPoint } from "~/monitoring/history-views.server";
import { repeatedScan } from "~/monitoring/repeated-scan.server";
import { setSchedule } from "~/monitoring/set-schedule.server";
import { websiteRows } from "~/monitoring/websites/website-rows.server";
import { originOf } from "~/monitoring/websites/website";
import { titledMeta } from "~/platform/forms/page-texts.server";
import { readForm } from "~/platform/forms/read-form";
import { pageMeta } from "~/platform/http/page-meta";
import { localeOf, textsOf } from "~/platform/i18n/i18n.server";
import { preloadNamespaces } from "~/platform/i18n/preload-namespaces";
import { runRows } from "~/reports/run-rows.server";

export const handle = { i18n: ["websites", "runs", "history"] };
export const clientLoader = preloadNamespaces(["websites", "runs", "history"]);

const PER_PAGE = 20;

export async function loader(args: LoaderFunctionArgs) {
  const { user, website, origin } = await ownWebsite(args);
  const { services } = args.context;
  const { runLists, runs, histories, pages } = services;
  const before = new URL(args.request.url).searchParams.get("before");
  const [[row], listed, next] = await Promise.all([
    websiteRows(services, user.id, [website]),
    runLists.list(user.id, { origin, before, limit: PER_PAGE }),
    nextRunOf(runs, user.id, website),
  ]);
  if (!row) throw data(null, { status: 404 });
  const t = textsOf(await localeOf(args.request)).getFixedT(null, "websites");
  const comparable = new Set(row.trendRuns);
  const history = row.last === null ? [] : (await histories.entries(user.id, next)).entries;
  return data({
    meta: await titledMeta(args, { title: t("one.title", { name: row.name }), description: t("one.description", { name: row.name }) }),
    website: row,
    points: history.filter(({ run }) => comparable.has(run.id)).map(trendPoint),
    runs: await runRows(listed.runs, pages),
    next: listed.next,
    isFirst: before === null,
    repeated: await repeatedScan(args.context, user.id, next, pathOf(args)),
    // Schedules of this website with another address or scope.
    otherSchedules: (await services.scheduleLists.list(user.id, { origin })).filter(({ url, scope }) => url !== next.url || scope !== next.scope),
  });
}

/** Scans the website again; creates, changes or ends the schedule. */
export async function action(args: ActionFunctionArgs) {
  const { user, website } = await ownWebsite(args);
  const { services } = args.context;
  const form = await readForm(args.request);
  const path = pathOf(args);
  if (form.has("website")) {
    await requireEntitled(args);
    return startCheck(args, user.id, form, path);
  }
  return setSchedule(args, user.id, await nextRunOf(services.runs, user.id, website), form, path);
}

const pathOf = ({ params }: Pick<LoaderFunctionArgs, "params">) => `/websites/${encodeURIComponent(params.id ?? "")}`;

/** @throws 404 for a website that does not exist or belongs to another user; a redirect without permission */
async function ownWebsite(args: LoaderFunctionArgs | ActionFunctionArgs) {
  const user = await requireResultAccess(args);
  const origin = originOf(args.params.id ?? "");
  const website = origin === null ? undefined : await args.context.services.websites.find(user.id, origin);
  if (origin === null || !website) throw data(null, { status: 404 });
  return { user, website, origin };
}

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function WebsitePage() {
  const { website, points, runs, next, isFirst, repeated, otherSchedules } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { t } = useTranslation(["websites", "history"]);
  const path = `/websites/${encodeURIComponent(website.id)}`;
  return (
    <article className="runs-page wrap">
      <nav aria-label={t("one.back")} className="back">
        <Link to="/websites">{t("one.all")}</Link>
      </nav>
      <AnswerSummary answer={answer} />
      <header className="page-head">
        <h1 className="address">{website.name}</h1>
        <CheckNow website={website} path={path} />
      </header>
      {repeated.kept && !answer && <KeptNotice isButton={repeated.kept["every"] === undefined} />}
      <section aria-labelledby="last">
        <h2 id="last">{t("column.last")}</h2>
        <LastResult {...website} />
        <p>
          <WhatChanged {...website} />
        </p>
      </section>
      {website.last && (
        <section aria-labelledby="trend">
          <h2 id="trend">{t("column.trend")}</h2>
          <p className="hint">{t("one.comparable")}</p>
          <TrendPicture points={points} />
          <p>
            <Link to={`/run/${website.last.id}/history`}>{t("one.history")}</Link>
          </p>
        </section>
      )}
      {/* A refused "check now" does not belong to this form. */}
      <Repetition path={path} isFirst={website.last === null} answer={answer?.values.website === undefined ? answer : undefined} repeated={repeated} otherSchedules={otherSchedules} />
      <section aria-labelledby="runs">
        <h2 id="runs">{t("one.runs")}</h2>
        {runs.length === 0 ? <p>{t("one.noRuns")}</p> : <RunTable runs={runs} ofOneWebsite />}
        {(!isFirst || next !== null) && (
          <nav className="pager" aria-label={t("one.runs")}>
            {!isFirst && <Link to={path}>{t("one.newest")}</Link>}{" "}
            {next !== null && <Link to={`${path}?before=${encodeURIComponent(next)}`}>{t("one.older")}</Link>}
          </nav>
        )}
      </section>
    </article>
  );
}

type LoaderData = ReturnType<typeof useLoaderData<typeof loader>>;
type RepetitionProps = Pick<LoaderData, "repeated" | "otherSchedules"> & {
  path: string;
  /** Whether the website was never scanned. */
  isFirst: boolean;
  answer: ReturnType<typeof useActionData<typeof action>>;
};

function Repetition({ path, repeated, otherSchedules, isFirst, answer }: RepetitionProps) {
  const { t } = useTranslation(["websites", "history"]);
  return (
    <section aria-labelledby="repetition" className="website-repetition">
      <h2 id="repetition">{t("one.repetition")}</h2>
      <p>{t(`history:schedule.lead.${repeated.scope}`)}</p>
      <RepeatedScan path={path} answer={answer} settings={isFirst ? "first" : "last"} level={3} {...repeated} />
      {otherSchedules.length > 0 && (
        <section aria-labelledby="others">
          <h3 id="others">{t("one.otherSchedules")}</h3>
          <ScheduleList path="/runs/schedules" schedules={otherSchedules} />
        </section>
      )}
    </section>
  );
}
