import { data, redirect, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { z } from "zod";
import { grantSchema, limitsSchema } from "~/administration/forms.server";
import { requireAdministrator } from "~/administration/guard.server";
import { administrationMeta } from "~/administration/page-meta.server";
import { isPersonAction, type PersonAction } from "~/administration/person-buttons";
import type { PersonChange } from "~/administration/person-actions.server";
import { AdministrationPage } from "~/administration/view/administration-page";
import { PersonActionForm } from "~/administration/view/person-action-form";
import { PersonFacts } from "~/administration/view/person-facts";
import { PersonLimits } from "~/administration/view/person-limits";
import { PersonPlan } from "~/administration/view/person-plan";
import { parseSentForm } from "~/platform/forms/form-answer.server";
import { readForm, textField } from "~/platform/forms/read-form";
import { answerHeaders } from "~/platform/http/answer-headers";
import type { Flash } from "~/platform/http/flash";
import { pageMeta } from "~/platform/http/page-meta";
import { calendarDay } from "~/platform/i18n/calendar-date";
import { localeOf, textsOf } from "~/platform/i18n/i18n.server";
import { preloadNamespaces } from "~/platform/i18n/preload-namespaces";
import { AnswerSummary } from "~/ui/form/answer-summary";
import { KeptNotice } from "~/ui/form/kept-notice";

export const handle = { i18n: ["admin"] };
export const clientLoader = preloadNamespaces(["admin"]);

const DONE: Record<PersonAction, Flash["text"]> = {
  confirm: "personConfirmed",
  disable: "personDisabled",
  enable: "personEnabled",
  signOut: "personSignedOut",
  mailReset: "passwordLinkSent",
  makeAdministrator: "administratorMade",
  takeAdministrator: "administratorTaken",
};

export async function loader(args: LoaderFunctionArgs) {
  const administrator = await requireAdministrator(args);
  const { services, visitor } = args.context;
  const person = await services.people.find(args.params.id ?? "");
  if (!person) throw data(null, { status: 404 });
  const kept = await visitor.takeKept(new URL(args.request.url).pathname);
  const now = Date.now();
  const bought = services.billing ? await services.purchases.of(person.id) : null;
  return data({
    meta: await administrationMeta(args, "person", { email: person.email }),
    person,
    isSelf: person.id === administrator.id,
    kept,
    // The end of a plan that a refund or dispute has ended may be in the future; it is not shown then.
    plans: bought && bought.map(({ id, plan, planName, entitles, granted, endsAt }) => {
      return { id, plan, planName, entitles, granted, endsAt: entitles || (endsAt ?? 0) <= now ? endsAt : null };
    }),
    usual: { waiting: services.env.SCAN_WAITING_PER_ACCOUNT, pages: services.env.SCAN_MAX_PAGES },
  });
}

export async function action(args: ActionFunctionArgs) {
  const administrator = await requireAdministrator(args);
  const { request, context, params } = args;
  const { personActions, billing } = context.services;
  const id = params.id ?? "";
  const form = await readForm(request);
  const t = textsOf(await localeOf(request)).getFixedT(null, "admin");
  const describe = (problem: string) => t(`person.problem.${problem as "until"}`);
  const read = <Schema extends z.ZodType>(schema: Schema) => parseSentForm(request, context, form, schema, describe);
  const answer = async (change: PersonChange, done: Flash["text"]) => {
    if (change === "unknown") throw data(null, { status: 404 });
    if (change !== "done" && change !== "unchanged") return refuse(change);
    // These pages no longer exist for a former administrator.
    const isFormer = done === DONE.takeAdministrator && id === administrator.id;
    if (change === "done") await context.visitor.flash({ text: isFormer ? "ownAdministrationEnded" : done, kind: "done" });
    return redirect(isFormer ? "/" : `/admin/people/${id}`, 303);
  };
  const refuse = async (why: "what" | Exclude<PersonChange, "done" | "unchanged" | "unknown">) =>
    (await read(z.object({}))).refuseForNow({ heading: t("person.problem.heading"), text: t(`person.problem.${why}`) }, { status: 422 });

  const chosen = textField(form, "do");
  if (isPersonAction(chosen)) return answer(await personActions[chosen](administrator, id), DONE[chosen]);
  if (chosen === "limit") {
    const sent = await read(limitsSchema);
    return sent.value ? answer(await personActions.setLimits(administrator, id, sent.value), "limitsSet") : sent.refuse();
  }
  // Without sales, everybody has all features: there is nothing to grant.
  if (chosen === "grant" && billing) {
    const sent = await read(grantSchema(calendarDay(Date.now())));
    if (!sent.value) return sent.refuse();
    return answer(await personActions.grant(administrator, id, { plan: sent.value.plan, lastDay: sent.value.until }), "planGranted");
  }
  if (chosen === "takePlan" && billing) return answer(await personActions.takePlan(administrator, id), "planTakenBack");
  return refuse("what");
}

export const headers = answerHeaders;

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function Person() {
  const { person, isSelf, kept, plans, usual } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { t } = useTranslation("admin");
  const values = answer?.values ?? kept ?? {};
  return (
    <AdministrationPage heading={person.email} summary={<AnswerSummary answer={answer} />}>
      {kept && !answer && <KeptNotice isButton={kept.do !== "limit" && kept.do !== "grant"} />}
      <PersonFacts person={person} />
      <PersonActionForm person={person} isSelf={isSelf} />
      {plans && <PersonPlan path={`/admin/people/${person.id}`} plans={plans} answer={answer} values={values} />}
      <PersonLimits path={`/admin/people/${person.id}`} mostWaiting={person.mostWaiting} mostPages={person.mostPages} usual={usual} answer={answer} values={values} />
      <p>
        <Link to="/admin/people">{t("person.back")}</Link>
      </p>
    </AdministrationPage>
  );
}
