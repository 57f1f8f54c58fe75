import { data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Form, Link, useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { ErrorSummary } from "~/ui/form/error-summary";
import { RadioGroup } from "~/ui/form/radio-group";
import { LegalDisclaimer } from "~/site/law/legal-disclaimer";
import { ScopeResult } from "~/site/law/scope-result";
import { useLanguagePath } from "~/ui/use-language-path";
import { localeOf, textsOf } from "~/platform/i18n/i18n.server";
import { pageMeta } from "~/platform/http/page-meta";
import { statusOfForm } from "~/platform/forms/form-answer.server";
import { titledMeta } from "~/platform/forms/page-texts.server";
import { methodNotAllowed } from "~/platform/http/method-not-allowed";
import { isComplete, judgeScope, QUESTION_NAMES, readScopeAnswers, SCOPE_QUESTIONS } from "~/site/law/scope-check";
import { preloadNamespaces } from "~/platform/i18n/preload-namespaces";

export const handle = { i18n: ["law"] };
export const clientLoader = preloadNamespaces(["law"]);

/** Self-check, with the answers in the address, so that a result can be saved and shared. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const t = textsOf(await localeOf(request)).getFixedT(null, "law");
  const { searchParams } = new URL(request.url);
  const answers = readScopeAnswers(searchParams);
  const outcome = isComplete(answers) ? judgeScope(answers) : null;
  const missing = searchParams.has("sent") ? QUESTION_NAMES.filter((name) => answers[name] === undefined) : [];
  const title = outcome ? t(`check.verdict.${outcome.verdict}.heading`) : t("check.title");
  const status = statusOfForm(context, missing.length > 0);
  const page = {
    meta: await titledMeta({ request, context }, { title, description: t("check.description") }),
    answers,
    outcome,
    missing,
  };
  return data(page, { status });
}

export const action = methodNotAllowed;

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function ScopeCheck() {
  const { answers, outcome, missing } = useLoaderData<typeof loader>();
  const { t } = useTranslation("law");
  const languagePath = useLanguagePath();
  const problem = t("check.missing");

  return (
    <article className="form-page wrap">
      {missing.length > 0 && (
        <ErrorSummary
          errors={missing.map((name) => ({ fieldId: name, message: `${t(`check.question.${name}.short`)}: ${problem}` }))}
        />
      )}
      <h1>{outcome ? t(`check.verdict.${outcome.verdict}.heading`) : t("check.heading")}</h1>
      <p className="lead">{outcome ? t(`check.verdict.${outcome.verdict}.text`) : t("check.lead")}</p>
      {outcome && <ScopeResult {...outcome} />}
      {outcome && <h2>{t("check.change")}</h2>}
      {/* New key for new answers in the address, also after going back: React and the browser would keep the old ones. */}
      <Form
        className="form scope-form"
        method="get"
        action={languagePath("/bfsg/check")}
        autoComplete="off"
        key={JSON.stringify(answers)}
      >
        <input type="hidden" name="sent" value="" />
        {QUESTION_NAMES.map((name) => (
          <RadioGroup
            key={name}
            id={name}
            name={name}
            legend={t(`check.question.${name}.legend`)}
            error={missing.includes(name) ? problem : undefined}
            choices={SCOPE_QUESTIONS[name].map((value) => ({
              value,
              // Each question has its own answers; tests ensure that every answer has a text.
              label: t(`check.question.${name}.answer.${value}` as "check.question.staff.answer.few"),
            }))}
            defaultValue={answers[name] ?? ""}
          />
        ))}
        <button className="button" type="submit">
          {t("check.submit")}
        </button>
      </Form>
      <div className="form-after">
        <LegalDisclaimer />
        <p>
          <Link to="/bfsg">{t("check.back")}</Link>
        </p>
      </div>
    </article>
  );
}
