import { data, redirect, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { KeptNotice } from "~/ui/form/kept-notice";
import { ScheduleList } from "~/monitoring/view/schedule-list";
import { requireUser } from "~/accounts/guard.server";
import { localeOf, textsOf } from "~/platform/i18n/i18n.server";
import { pageMeta } from "~/platform/http/page-meta";
import { titledMeta } from "~/platform/forms/page-texts.server";
import { readForm, textField } from "~/platform/forms/read-form";
import { preloadNamespaces } from "~/platform/i18n/preload-namespaces";

export const handle = { i18n: ["history", "runs"] };
export const clientLoader = preloadNamespaces(["history", "runs"]);

const PATH = "/runs/schedules";

/** List of schedules, also without any purchase: schedules and their stored credentials can always be deleted. */
export async function loader(args: LoaderFunctionArgs) {
  const user = await requireUser(args);
  const { services, visitor } = args.context;
  const { scheduleLists } = services;
  const t = textsOf(await localeOf(args.request)).getFixedT(null, "history");
  return data({
    meta: await titledMeta(args, { title: t("schedules.title"), description: t("schedules.description") }),
    kept: (await visitor.takeKept(PATH)) !== null,
    schedules: await scheduleLists.list(user.id),
    entitled: await scheduleLists.mayRepeat(user.id),
  });
}

/** Ends the schedule in `end`; a schedule that no longer exists is no error. */
export async function action(args: ActionFunctionArgs) {
  const user = await requireUser(args);
  const { services, visitor } = args.context;
  const isEnded = await services.scheduleLists.end(user.id, textField(await readForm(args.request), "end"));
  if (isEnded) await visitor.flash({ text: "scheduleEnded", kind: "done" });
  return redirect(PATH, 303);
}

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function Schedules() {
  const { kept, schedules, entitled } = useLoaderData<typeof loader>();
  const { t } = useTranslation("history");
  const running = schedules.filter(({ paused }) => paused === null).length;
  return (
    <article className="runs-page wrap">
      <nav aria-label={t("schedules.back")} className="back">
        <Link to="/runs">{t("schedules.allRuns")}</Link>
      </nav>
      <h1>{t("schedules.title")}</h1>
      {kept && <KeptNotice isButton />}
      <p className="lead">{running === 0 ? t("schedules.none") : t("schedules.lead", { count: running })}</p>
      {!entitled && (
        <p>
          {t("schedules.subscribers")} <Link to="/setup">{t("schedule.plans")}</Link>
        </p>
      )}
      {schedules.length > 0 ? <ScheduleList path={PATH} schedules={schedules} /> : entitled && <p>{t("schedules.how")}</p>}
    </article>
  );
}
