import { data, redirect, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { Reauthentication } from "~/accounts/view/reauthentication";
import { FormPage } from "~/ui/form/form-page";
import { KeptNotice } from "~/ui/form/kept-notice";
import { PasswordField } from "~/ui/form/password-field";
import { RadioGroup } from "~/ui/form/radio-group";
import { TextField } from "~/ui/form/text-field";
import { ScopeChoice } from "~/api/view/scope-choice";
import { requireEntitled } from "~/billing/guard.server";
import { hasJustSignedIn, isProved, requireProof } from "~/accounts/guard.server";
import { answerHeaders } from "~/platform/http/answer-headers";
import { keepNewToken } from "~/api/new-token.server";
import { LIFETIMES, SCOPES } from "~/api/scopes";
import { tokenFormSchema } from "~/api/token-form.server";
import { errorOf } from "~/platform/forms/form-answer";
import { parseSentForm } from "~/platform/forms/form-answer.server";
import { withRecentSignIn } from "~/accounts/recent-sign-in.server";
import { localeOf, textsOf } from "~/platform/i18n/i18n.server";
import { pageMeta } from "~/platform/http/page-meta";
import { titledMeta } from "~/platform/forms/page-texts.server";
import { readForm, textField } from "~/platform/forms/read-form";
import { preloadNamespaces } from "~/platform/i18n/preload-namespaces";

export const handle = { i18n: ["tokens", "account"] };
export const clientLoader = preloadNamespaces(["tokens", "account"]);

const PATH = "/profile/tokens/new";
const PROPOSED_LIFETIME = "90";

export async function loader(args: LoaderFunctionArgs) {
  const user = await requireEntitled(args);
  const t = textsOf(await localeOf(args.request)).getFixedT(null, "tokens");
  return data({
    meta: await titledMeta(args, { title: t("new.title"), description: t("new.description") }),
    kept: await args.context.visitor.takeKept(PATH),
    proved: await isProved(args),
    canProve: args.context.services.hosted !== null,
    asksPassword: user.subject === null && !(await hasJustSignedIn(args.context)),
  });
}

export async function action(args: ActionFunctionArgs) {
  const user = await requireEntitled(args);
  await requireProof(args);
  const { request, context } = args;
  const t = textsOf(await localeOf(request)).getFixedT(null, "tokens");
  const form = await readForm(request);
  const describe = (problem: string) => t(`formProblem.${problem as "name_missing"}`);
  const sent = await parseSentForm(request, context, form, tokenFormSchema, describe);
  const scopes = SCOPES.filter((scope) => textField(form, scope) === "yes");
  if (scopes.length === 0) return sent.refuse({ scopes: "scopes_missing" });
  if (!sent.value) return sent.refuse();

  const { name, lifetime, currentPassword = "" } = sent.value;
  const make = async () => {
    const token = await context.services.apiTokens.create(user.id, { name, scopes, days: lifetime });
    if (token === null) return sent.refuse({ name: "too_many" });
    await keepNewToken(context, token);
    return redirect("/profile/tokens", 303);
  };
  // Recent sign-in required: a stranger at an unlocked computer must not create a token.
  return user.subject === null ? withRecentSignIn(context, user, sent, currentPassword, make) : make();
}

export const headers = answerHeaders;

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function NewToken() {
  const { kept, proved, canProve, asksPassword } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { t } = useTranslation(["tokens", "account"]);
  const sent = answer?.values ?? kept;
  if (!proved) return <Reauthentication heading={t("new.heading")} action={PATH} back="/profile/tokens" possible={canProve} />;
  const passwordError = errorOf(answer, "currentPassword");
  return (
    <FormPage
      heading={t("new.heading")}
      lead={kept && !answer && <KeptNotice />}
      answer={answer}
      action={PATH}
      submit={t("new.submit")}
      after={<Link to="/profile/tokens">{t("new.cancel")}</Link>}
    >
      <TextField
        id="name"
        name="name"
        label={t("new.name")}
        hint={t("new.nameHint")}
        error={errorOf(answer, "name")}
        defaultValue={sent?.name}
        autoComplete="off"
        required
      />
      <RadioGroup
        id="lifetime"
        name="lifetime"
        legend={t("new.lifetime")}
        choices={LIFETIMES.map((value) => ({ value, label: t(`new.lifetimes.${value}`) }))}
        defaultValue={sent?.lifetime ?? PROPOSED_LIFETIME}
        error={errorOf(answer, "lifetime")}
      />
      <ScopeChoice
        id="scopes"
        chosen={(scope) => (sent ? sent[scope] === "yes" : scope === "runs:read")}
        error={errorOf(answer, "scopes")}
      />
      {(asksPassword || passwordError) && (
        <PasswordField
          id="currentPassword"
          name="currentPassword"
          label={t("account:field.currentPassword")}
          hint={t("new.passwordHint")}
          error={passwordError}
          autoComplete="current-password"
        />
      )}
    </FormPage>
  );
}
