import { data, redirect, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { invitationSchema } from "~/administration/forms.server";
import { OutboxNotice } from "~/accounts/view/outbox-notice";
import { requireAdministrator } from "~/administration/guard.server";
import { administrationMeta } from "~/administration/page-meta.server";
import { AdministrationPage } from "~/administration/view/administration-page";
import { InvitationTable } from "~/administration/view/invitation-table";
import { errorOf } from "~/platform/forms/form-answer";
import { parseSentForm } from "~/platform/forms/form-answer.server";
import { readForm, textField } from "~/platform/forms/read-form";
import { answerHeaders } from "~/platform/http/answer-headers";
import { pageMeta } from "~/platform/http/page-meta";
import { pageCountOf, pageNumberOf } from "~/platform/http/pagination.server";
import { LOCALES } from "~/platform/i18n/i18n";
import { localeOf, textsOf } from "~/platform/i18n/i18n.server";
import { languageName } from "~/platform/i18n/language-name";
import { preloadNamespaces } from "~/platform/i18n/preload-namespaces";
import { PaginationLinks } from "~/reports/view/pagination-links";
import { AnswerSummary } from "~/ui/form/answer-summary";
import { KeptNotice } from "~/ui/form/kept-notice";
import { SelectField } from "~/ui/form/select-field";
import { SubmitButton } from "~/ui/form/submit-button";
import { TextField } from "~/ui/form/text-field";

export const handle = { i18n: ["admin", "account", "report"] };
export const clientLoader = preloadNamespaces(["admin", "account", "report"]);

const PATH = "/admin/invitations";
const PER_PAGE = 25;

export async function loader(args: LoaderFunctionArgs) {
  await requireAdministrator(args);
  const { services, visitor } = args.context;
  const kept = await visitor.takeKept(PATH);
  const pageNumber = pageNumberOf(args.request);
  const { invitations, total } = await services.invitations.list({ offset: (pageNumber - 1) * PER_PAGE, limit: PER_PAGE });
  const now = Date.now();
  return data({
    meta: await administrationMeta(args, "invitations"),
    invitations: invitations.map((each) => ({ ...each, isExpired: each.expiresAt <= now })),
    ...{ total, pageNumber, pageCount: pageCountOf(args.request, total, PER_PAGE) },
    kept: kept && { email: kept.email ?? "", locale: kept.locale ?? "" },
    locale: await localeOf(args.request),
    keepsMails: services.keepsMails,
  });
}

/** Invites a person; with `do`, sends an invitation again or withdraws it. */
export async function action(args: ActionFunctionArgs) {
  const administrator = await requireAdministrator(args);
  const { services, visitor } = args.context;
  const { invitations } = services;
  const form = await readForm(args.request);
  const [chosen, id] = [textField(form, "do"), textField(form, "id")];
  if (chosen === "again" || chosen === "takeBack") {
    const isDone = await (chosen === "again" ? invitations.sendAgain(administrator, id, Number(textField(form, "sentAt"))) : invitations.takeBack(administrator, id));
    const done = chosen === "again" ? "invitationSent" : "invitationTakenBack";
    await visitor.flash(isDone ? { text: done, kind: "done" } : { text: "nothingToDo", kind: "problem" });
    return redirect(PATH, 303);
  }
  const t = textsOf(await localeOf(args.request)).getFixedT(null, ["admin", "account"]);
  const describe = (problem: string) => {
    if (problem === "email_missing") return t("admin:invitations.missing");
    return problem === "invite_known" ? t("admin:invitations.known") : t(`account:problem.${problem as "email_invalid"}`);
  };
  const sent = await parseSentForm(args.request, args.context, form, invitationSchema, describe);
  if (!sent.value) return sent.refuse();
  if ((await invitations.invite(administrator, sent.value)) === "known") return sent.refuse({ email: "invite_known" });
  await visitor.flash({ text: "invitationSent", kind: "done" });
  return redirect(PATH, 303);
}

export const headers = answerHeaders;

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function Invitations() {
  const { invitations, total, pageNumber, pageCount, kept, locale, keepsMails } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { t, i18n } = useTranslation("admin");
  const { t: common } = useTranslation();
  const values = answer?.values ?? kept ?? {};
  return (
    <AdministrationPage heading={t("invitations.heading")} summary={<AnswerSummary answer={answer} />}>
      {kept && !answer && <KeptNotice isButton={kept.email === ""} />}
      <p>{t("invitations.lead")}</p>
      <OutboxNotice shown={keepsMails} />
      <Form className="form" method="post" action={PATH} noValidate key={String(total)}>
        <TextField
          id="email"
          name="email"
          label={t("invitations.email")}
          error={errorOf(answer, "email")}
          defaultValue={values.email}
          type="email"
          autoComplete="off"
          required
        />
        <SelectField
          id="locale"
          name="locale"
          label={t("invitations.locale")}
          defaultValue={values.locale || locale}
          options={LOCALES.map((value) => ({ value, label: languageName(value, i18n.language) }))}
        />
        <SubmitButton label={t("invitations.submit")} busyLabel={common("form.busy")} action={PATH} />
      </Form>
      <section aria-labelledby="list">
        <h2 id="list">{t("invitations.list")}</h2>
        {total === 0 ? <p>{t("invitations.none")}</p> : <InvitationTable invitations={invitations} path={PATH} />}
        <PaginationLinks pageNumber={pageNumber} pageCount={pageCount} to={(wanted) => `${PATH}?part=${wanted}`} />
      </section>
    </AdministrationPage>
  );
}
