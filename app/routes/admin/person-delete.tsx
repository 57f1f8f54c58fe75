import { data, redirect, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { requireAdministrator } from "~/administration/guard.server";
import { deletePersonSchema } from "~/administration/forms.server";
import { administrationMeta } from "~/administration/page-meta.server";
import { errorOf } from "~/platform/forms/form-answer";
import { parseSentForm } from "~/platform/forms/form-answer.server";
import { readForm } from "~/platform/forms/read-form";
import { answerHeaders } from "~/platform/http/answer-headers";
import { pageMeta } from "~/platform/http/page-meta";
import { localeOf, textsOf } from "~/platform/i18n/i18n.server";
import { preloadNamespaces } from "~/platform/i18n/preload-namespaces";
import { Checkbox } from "~/ui/form/checkbox";
import { FormPage } from "~/ui/form/form-page";
import { KeptNotice } from "~/ui/form/kept-notice";

export const handle = { i18n: ["admin", "account"] };
export const clientLoader = preloadNamespaces(["admin", "account"]);

const RETRY_MS = 120_000;

export async function loader(args: LoaderFunctionArgs) {
  await requireAdministrator(args);
  const person = await args.context.services.people.find(args.params.id ?? "");
  if (!person) throw data(null, { status: 404 });
  const { id, email, runs } = person;
  const kept = (await args.context.visitor.takeKept(`/admin/people/${id}/delete`)) !== null;
  return data({ meta: await administrationMeta(args, "deletion"), id, email, runs, kept });
}

export async function action(args: ActionFunctionArgs) {
  const administrator = await requireAdministrator(args);
  const { request, context, params } = args;
  const { people, personActions, billing } = context.services;
  const id = params.id ?? "";
  const person = await people.find(id);
  // Double click, or old tab.
  if (!person) return redirect("/admin/people", 303);
  const t = textsOf(await localeOf(request)).getFixedT(null, "admin");
  const describe = (problem: string) => t(`deletion.problem.${problem as "not_confirmed"}`);
  const sent = await parseSentForm(request, context, await readForm(request), deletePersonSchema, describe);
  if (!sent.value) return sent.refuse();
  const barrier = await personActions.barrierToRemove(administrator, person);
  if (barrier) return sent.refuse({ confirmed: barrier });
  // Canceled first: running subscriptions and later payments at the provider would belong to no account.
  const blocker = (await billing?.cancelForAccountDeletion(id)) ?? null;
  if (blocker === "unreachable") return sent.postpone("orders", Date.now() + RETRY_MS);
  if (blocker) return sent.refuse({ confirmed: blocker });
  const outcome = await personActions.remove(administrator, id);
  if (outcome === "self" || outcome === "last") return sent.refuse({ confirmed: outcome });
  if (outcome === "done") await context.visitor.flash({ text: "personDeleted", kind: "done" });
  return redirect("/admin/people", 303);
}

export const headers = answerHeaders;

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function DeletePerson() {
  const { id, email, runs, kept } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { t } = useTranslation("admin");
  return (
    <FormPage
      heading={t("deletion.heading", { email })}
      lead={
        <>
          {kept && !answer && <KeptNotice isEmpty />}
          <p>{t("deletion.lead", { count: runs })}</p>
        </>
      }
      answer={answer}
      action={`/admin/people/${id}/delete`}
      submit={t("deletion.submit")}
      danger
      after={<Link to={`/admin/people/${id}`}>{t("deletion.back")}</Link>}
    >
      <Checkbox id="confirmed" name="confirmed" value="yes" label={t("deletion.confirm")} error={errorOf(answer, "confirmed")} />
    </FormPage>
  );
}
