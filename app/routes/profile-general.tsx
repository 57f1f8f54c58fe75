import { data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { AccountLinks } from "~/components/account/account-links";
import { SessionList } from "~/components/account/session-list";
import { SignOutForm, Who } from "~/components/account/who";
import { LocaleSwitcher } from "~/components/frame/locale-switcher";
import { requireEntitled } from "~/guard.server";
import { isLocale } from "~/lib/i18n";
import { accountPageMeta } from "~/lib/page-texts.server";
import { pageMeta } from "~/lib/page-meta";
import { notAllowed } from "~/lib/refusals";
import { sessionViews } from "~/lib/session-views.server";
import { textsFirst } from "~/lib/texts-first";
import { viewOfUser } from "~/lib/user-view";

export const handle = { i18n: ["account"] };
export const clientLoader = textsFirst(["account"]);

export async function loader(args: LoaderFunctionArgs) {
  const user = await requireEntitled(args);
  return data({
    meta: await accountPageMeta(args, "profile"),
    user: viewOfUser(user),
    sessions: await sessionViews(args.context, user.id),
  });
}

export const action = notAllowed;

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function Profile() {
  const { user, sessions } = useLoaderData<typeof loader>();
  const { t, i18n } = useTranslation("account");
  return (
    <article className="account-page wrap">
      <h1>{t("profile.heading")}</h1>
      <section aria-labelledby="person">
        <h2 id="person">{t("profile.person")}</h2>
        <Who user={user} />
        <p className="button-row">
          <Link className="button button-quiet" to="/profile/name">
            {t("name.title")}
          </Link>{" "}
          <Link className="button button-quiet" to="/profile/email">
            {t("email.title")}
          </Link>
        </p>
      </section>
      <section aria-labelledby="language">
        <h2 id="language">{t("profile.language")}</h2>
        <p>{t("profile.languageHint")}</p>
        <LocaleSwitcher current={isLocale(i18n.language) ? i18n.language : "de"} />
      </section>
      <section aria-labelledby="sessions">
        <h2 id="sessions">{t("sessions.heading")}</h2>
        <SessionList sessions={sessions} />
      </section>
      <section aria-labelledby="account">
        <h2 id="account">{t("profile.account")}</h2>
        <AccountLinks isHosted={user.isHosted} sessions={false} />
        <SignOutForm />
      </section>
    </article>
  );
}
