import { data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { CodeBlock } from "~/api/view/code-block";
import { Operations } from "~/api/view/operations";
import { ProblemList } from "~/api/view/problem-list";
import { REQUESTS_PER_HOUR, STARTS_PER_HOUR } from "~/api/api-limits.server";
import { curlExample, snippets } from "~/api/snippets";
import { localeOf, textsOf } from "~/platform/i18n/i18n.server";
import { pageMeta } from "~/platform/http/page-meta";
import { titledMeta } from "~/platform/forms/page-texts.server";
import { methodNotAllowed } from "~/platform/http/method-not-allowed";
import { preloadNamespaces } from "~/platform/i18n/preload-namespaces";

export const handle = { i18n: ["tokens"] };
export const clientLoader = preloadNamespaces(["tokens"]);

export async function loader(args: LoaderFunctionArgs) {
  const { BASE_URL, SOURCE_URL } = args.context.services.env;
  const t = textsOf(await localeOf(args.request)).getFixedT(null, "tokens");
  return data({
    meta: await titledMeta(args, { title: t("docs.title"), description: t("docs.description") }),
    example: curlExample(BASE_URL),
    snippets: snippets(BASE_URL, SOURCE_URL),
    limits: { requests: REQUESTS_PER_HOUR, starts: STARTS_PER_HOUR },
  });
}

export const action = methodNotAllowed;

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function ApiDocs() {
  const { example, snippets: pieces, limits } = useLoaderData<typeof loader>();
  const { t } = useTranslation("tokens");
  return (
    <article className="account-page prose wrap">
      <h1>{t("docs.heading")}</h1>
      <p className="lead">{t("docs.lead")}</p>
      <section aria-labelledby="auth">
        <h2 id="auth">{t("docs.authHeading")}</h2>
        <p>{t("docs.auth")}</p>
        <p>
          <Link to="/profile/tokens">{t("docs.authLink")}</Link>
        </p>
      </section>
      <section aria-labelledby="operations">
        <h2 id="operations">{t("docs.operationsHeading")}</h2>
        <Operations />
        <p>
          <a href="/openapi.json" hrefLang="en">
            {t("docs.openapi")}
          </a>
        </p>
      </section>
      <section aria-labelledby="example">
        <h2 id="example">{t("docs.exampleHeading")}</h2>
        <p>{t("docs.example")}</p>
        <CodeBlock code={example} />
      </section>
      <section aria-labelledby="again">
        <h2 id="again">{t("docs.againHeading")}</h2>
        <p>{t("docs.again")}</p>
      </section>
      <section aria-labelledby="limits">
        <h2 id="limits">{t("docs.limitsHeading")}</h2>
        <p>{t("docs.limits", limits)}</p>
      </section>
      <section aria-labelledby="ci">
        <h2 id="ci">{t("docs.ciHeading")}</h2>
        <p>{t("docs.ci")}</p>
        <p>{t("docs.ciToken")}</p>
        {pieces.map(({ name, file, code }) => (
          <section key={name}>
            <h3>{t(`docs.snippet.${name}`)}</h3>
            <p>
              <code translate="no">{file}</code>
            </p>
            <CodeBlock code={code} />
          </section>
        ))}
      </section>
      <section aria-labelledby="problems">
        <h2 id="problems">{t("docs.problemsHeading")}</h2>
        <p>{t("docs.problems")}</p>
        <ProblemList />
      </section>
    </article>
  );
}
