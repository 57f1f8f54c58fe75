import { data, redirect, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { NewToken } from "~/api/view/new-token";
import { TokenList } from "~/api/view/token-list";
import { requireUser } from "~/accounts/guard.server";
import { takeNewToken } from "~/api/new-token.server";
import { MOST_TOKENS } from "~/api/scopes";
import { localeOf, textsOf } from "~/platform/i18n/i18n.server";
import { pageMeta } from "~/platform/http/page-meta";
import { titledMeta } from "~/platform/forms/page-texts.server";
import { readForm, textField } from "~/platform/forms/read-form";
import { KeptNotice } from "~/ui/form/kept-notice";
import { preloadNamespaces } from "~/platform/i18n/preload-namespaces";

export const handle = { i18n: ["tokens"] };
export const clientLoader = preloadNamespaces(["tokens"]);

const PATH = "/profile/tokens";

/** List of tokens, also for users without a current plan: every token must be revocable. */
export async function loader(args: LoaderFunctionArgs) {
  const user = await requireUser(args);
  const { apiTokens, entitlements } = args.context.services;
  const t = textsOf(await localeOf(args.request)).getFixedT(null, "tokens");
  return data({
    meta: await titledMeta(args, { title: t("list.title"), description: t("list.description") }),
    created: await takeNewToken(args.context),
    tokens: await apiTokens.list(user.id),
    entitled: await entitlements.isEntitled(user.id),
    kept: (await args.context.visitor.takeKept(PATH)) !== null,
  });
}

/** Revokes the token in `revoke`; a token that no longer exists is no error. */
export async function action(args: ActionFunctionArgs) {
  const user = await requireUser(args);
  const { services, visitor } = args.context;
  const isRevoked = await services.apiTokens.revoke(user.id, textField(await readForm(args.request), "revoke"));
  if (isRevoked) await visitor.flash({ text: "tokenRevoked", kind: "done" });
  return redirect(PATH, 303);
}

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function Tokens() {
  const { created, tokens, entitled, kept } = useLoaderData<typeof loader>();
  const { t } = useTranslation("tokens");
  return (
    <article className="account-page wrap">
      <h1>{t("list.heading")}</h1>
      <p className="lead">{t("list.lead")}</p>
      {kept && <KeptNotice isButton />}
      {created !== null && <NewToken token={created} />}
      <section aria-labelledby="yours">
        <h2 id="yours">{t("list.yours")}</h2>
        {tokens.length === 0 ? <p>{t("list.none")}</p> : <TokenList tokens={tokens} action={PATH} />}
        {!entitled ? (
          <p>
            {t("list.needsPlan")} <Link to="/setup">{t("list.plans")}</Link>
          </p>
        ) : tokens.length < MOST_TOKENS ? (
          <p>
            <Link className="button" to="/profile/tokens/new">
              {t("list.create")}
            </Link>
          </p>
        ) : (
          <p>{t("list.full", { max: MOST_TOKENS })}</p>
        )}
      </section>
      <ul className="link-list">
        <li>
          <Link to="/api">{t("list.docs")}</Link>
        </li>
        <li>
          {entitled ? <Link to="/profile/general">{t("list.back")}</Link> : <Link to="/setup">{t("list.backToAccount")}</Link>}
        </li>
      </ul>
    </article>
  );
}
