import { data, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { AnswerSummary } from "~/ui/form/answer-summary";
import { KeptNotice } from "~/ui/form/kept-notice";
import { RepeatedScan } from "~/monitoring/view/repeated-scan";
import { requireUser } from "~/accounts/guard.server";
import { repeatedScan } from "~/monitoring/repeated-scan.server";
import { setSchedule } from "~/monitoring/set-schedule.server";
import { titledMeta } from "~/platform/forms/page-texts.server";
import { readForm } from "~/platform/forms/read-form";
import { pageMeta } from "~/platform/http/page-meta";
import { localeOf, textsOf } from "~/platform/i18n/i18n.server";
import { preloadNamespaces } from "~/platform/i18n/preload-namespaces";

export const handle = { i18n: ["history", "runs"] };
export const clientLoader = preloadNamespaces(["history", "runs"]);

const LIST = "/runs/schedules";

export async function loader(args: LoaderFunctionArgs) {
  const { user, run, path } = await ownSchedule(args);
  const t = textsOf(await localeOf(args.request)).getFixedT(null, "history");
  return data({
    meta: await titledMeta(args, { title: t("schedules.one", { address: run.url }), description: t("schedules.description") }),
    path,
    repeated: await repeatedScan(args.context, user.id, run, path),
  });
}

/** Changes or ends the schedule; the settings of its runs stay. */
export async function action(args: ActionFunctionArgs) {
  const { user, run, path } = await ownSchedule(args);
  return setSchedule(args, user.id, run, await readForm(args.request), path, LIST);
}

/**
 * Own schedule, also without any purchase: stored credentials can always be deleted.
 * @throws 404 for a schedule that does not exist or belongs to another user
 */
async function ownSchedule(args: LoaderFunctionArgs | ActionFunctionArgs) {
  const user = await requireUser(args);
  const id = args.params.id ?? "";
  const run = await args.context.services.scheduleLists.runOf(user.id, id);
  if (!run) throw data(null, { status: 404 });
  return { user, run, path: `${LIST}/${id}` };
}

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function SchedulePage() {
  const { path, repeated } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { t } = useTranslation("history");
  return (
    <article className="runs-page wrap">
      <nav aria-label={t("schedules.back")} className="back">
        <Link to={LIST}>{t("schedules.all")}</Link>
      </nav>
      <AnswerSummary answer={answer} />
      <h1 className="address">{t("schedules.one", { address: repeated.url })}</h1>
      {repeated.kept && !answer && <KeptNotice isButton={repeated.kept["every"] === undefined} />}
      <p className="lead">{t(`schedule.lead.${repeated.scope}`)}</p>
      <RepeatedScan path={path} answer={answer} settings="own" {...repeated} />
    </article>
  );
}
