import { data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { requireEntitled } from "~/guard.server";
import { accountPageMeta } from "~/lib/page-texts.server";
import { pageMeta } from "~/lib/page-meta";
import { notAllowed } from "~/lib/refusals";
import { textsFirst } from "~/lib/texts-first";

export const handle = { i18n: ["account"] };
export const clientLoader = textsFirst(["account"]);

export async function loader(args: LoaderFunctionArgs) {
  await requireEntitled(args);
  return data({ meta: await accountPageMeta(args, "runs") });
}

export const action = notAllowed;

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function Runs() {
  const { t } = useTranslation("account");
  return (
    <article className="account-page wrap">
      <h1>{t("runs.heading")}</h1>
      <p className="lead">{t("runs.soon")}</p>
      <p>
        <Link className="button" to="/">
          {t("runs.check")}
        </Link>
      </p>
    </article>
  );
}
