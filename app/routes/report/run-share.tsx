import { data, redirect, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Form, Link, useActionData, useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { z } from "zod";
import { AnswerSummary } from "~/ui/form/answer-summary";
import { KeptNotice } from "~/ui/form/kept-notice";
import { RadioGroup } from "~/ui/form/radio-group";
import { SubmitButton } from "~/ui/form/submit-button";
import { NewShareLink } from "~/reports/share/new-share-link";
import { ShareList } from "~/reports/share/share-list";
import { ReportFrame } from "~/reports/view/report-frame";
import { ReportHeading } from "~/reports/view/head/report-heading";
import { errorOf } from "~/platform/forms/form-answer";
import { parseSentForm } from "~/platform/forms/form-answer.server";
import { textsOf } from "~/platform/i18n/i18n.server";
import { pageMeta } from "~/platform/http/page-meta";
import { readForm, textField } from "~/platform/forms/read-form";
import { ownReport } from "~/reports/own-report.server";
import { reportMeta } from "~/reports/page.server";
import { DEFAULT_SHARE_DAYS, SHARE_DAYS } from "~/reports/share/share-days";
import { preloadNamespaces } from "~/platform/i18n/preload-namespaces";

export const handle = { i18n: ["history", "report"] };
export const clientLoader = preloadNamespaces(["history", "report"]);

const schema = z.object({
  days: z.coerce.number("days_unknown").pipe(z.literal(SHARE_DAYS, { error: "days_unknown" })),
});

export async function loader(args: LoaderFunctionArgs) {
  const report = await ownReport(args);
  const { run, head, userId, locale, base } = report;
  const { services, visitor } = args.context;
  const t = textsOf(locale).getFixedT(null, "history");
  const { token = "", ...kept } = (await visitor.takeKept(sharePath(base))) ?? {};
  // Only a valid token of this run is shown as a link.
  const isOurs = token !== "" && (await services.shares.open(token))?.id === run.id;
  return data({
    meta: await reportMeta(args, report, t("share.title")),
    head,
    shares: await services.shares.list(userId, run.id),
    /** Values of a form that was sent after the session had ended. */
    kept: Object.keys(kept).length > 0 ? { days: kept.days ?? null } : null,
    link: isOurs ? { link: `${services.env.BASE_URL}/shared/${token}`, pdf: `${base}/export.pdf?share=${token}` } : null,
  });
}

/** Creates a link that is valid for `days` days, or revokes the link in `remove`. */
export async function action(args: ActionFunctionArgs) {
  const { run, userId, locale, base } = await ownReport(args);
  const { services, visitor } = args.context;
  const t = textsOf(locale).getFixedT(null, "history");
  const form = await readForm(args.request);
  const path = sharePath(base);
  const remove = textField(form, "remove");
  if (remove !== "") {
    const isRevoked = await services.shares.revoke(userId, run.id, remove);
    if (isRevoked) await visitor.flash({ text: "linkTakenBack", kind: "done" });
    return redirect(path, 303);
  }
  const sent = await parseSentForm(args.request, args.context, form, schema, (problem) =>
    t(`share.problem.${problem as "days_unknown"}`),
  );
  if (!sent.value) return sent.refuse();
  const token = await services.shares.create(userId, run.id, sent.value.days);
  if (token === null) return sent.refuse({ days: "too_many" });
  // The database does not store the token itself: the next page shows it once.
  await visitor.keepForm({ path, fields: [["token", token]] });
  return redirect(path, 303);
}

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function RunShare() {
  const { head, shares, link, kept } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { t } = useTranslation("history");
  const path = sharePath(head.base);
  return (
    <ReportFrame head={head} current={null}>
      <AnswerSummary answer={answer} />
      <ReportHeading host={head.host}>{t("share.heading")}</ReportHeading>
      {kept && !answer && <KeptNotice isButton={kept.days === null} />}
      <p className="lead">{t("share.lead")}</p>
      {link !== null && <NewShareLink {...link} />}
      <section aria-labelledby="make">
        <h2 id="make">{t("share.make")}</h2>
        <Form className="form" method="post" action={path} noValidate>
          <RadioGroup
            id="days"
            name="days"
            legend={t("share.days")}
            error={errorOf(answer, "days")}
            defaultValue={answer?.values.days ?? kept?.days ?? String(DEFAULT_SHARE_DAYS)}
            choices={SHARE_DAYS.map((days) => ({ value: String(days), label: t("share.forDays", { count: days }) }))}
          />
          <SubmitButton label={t("share.submit")} busyLabel={t("share.busy")} action={path} />
        </Form>
      </section>
      <ShareList path={path} shares={shares} />
      <p>
        <Link to={head.base}>{t("backToReport")}</Link>
      </p>
    </ReportFrame>
  );
}

const sharePath = (base: string) => `${base}/share`;
