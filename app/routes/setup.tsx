import { data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { AccountLinks } from "~/components/account/account-links";
import { SignOutForm, Who } from "~/components/account/who";
import { requireUser } from "~/guard.server";
import { accountPageMeta } from "~/lib/page-texts.server";
import { pageMeta } from "~/lib/page-meta";
import { notAllowed } from "~/lib/refusals";
import { textsFirst } from "~/lib/texts-first";
import { viewOfUser } from "~/lib/user-view";

export const handle = { i18n: ["account"] };
export const clientLoader = textsFirst(["account"]);

export async function loader(args: LoaderFunctionArgs) {
  const user = await requireUser(args);
  return data({
    meta: await accountPageMeta(args, "setup"),
    user: viewOfUser(user),
    entitled: await args.context.services.entitlements.isEntitled(user.id),
  });
}

export const action = notAllowed;

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function Setup() {
  const { user, entitled } = useLoaderData<typeof loader>();
  const { t } = useTranslation("account");
  return (
    <article className="account-page wrap">
      <h1>{t("setup.heading")}</h1>
      {entitled ? (
        <>
          <p className="lead">{t("setup.entitled")}</p>
          <p>
            <Link className="button" to="/runs">
              {t("setup.toRuns")}
            </Link>
          </p>
        </>
      ) : (
        <p className="lead">{t("setup.soon")}</p>
      )}
      <section aria-labelledby="who">
        <h2 id="who">{t("setup.who")}</h2>
        <Who user={user} />
        <SignOutForm />
      </section>
      <section aria-labelledby="account">
        <h2 id="account">{t("profile.account")}</h2>
        <AccountLinks isHosted={user.isHosted} />
      </section>
    </article>
  );
}
