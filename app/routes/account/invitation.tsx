import { data, redirect, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { accountPageMeta } from "~/platform/forms/page-texts.server";
import { methodNotAllowed } from "~/platform/http/method-not-allowed";
import { pageMeta } from "~/platform/http/page-meta";
import { preloadNamespaces } from "~/platform/i18n/preload-namespaces";
import { useLanguagePath } from "~/ui/use-language-path";

export const handle = { i18n: ["account"] };
export const clientLoader = preloadNamespaces(["account"]);

/** Link of an invitation: redirects to the registration, or shows why it cannot be used. */
export async function loader(args: LoaderFunctionArgs) {
  const { services, visitor } = args.context;
  const { pathname, search } = new URL(args.request.url);
  const here = `${pathname}${search}`;
  const user = await visitor.user();
  const isValid = (await services.registration.admissionOf(here)) !== null;
  if (isValid && !user) throw redirect(`/register?returnTo=${encodeURIComponent(here)}`, 303);
  return data({ meta: await accountPageMeta(args, "invitation", isValid ? "title" : "heading"), email: user?.email ?? null, isValid });
}

export const action = methodNotAllowed;

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function Invitation() {
  const { email, isValid } = useLoaderData<typeof loader>();
  const { t } = useTranslation("account");
  const languagePath = useLanguagePath();
  return (
    <article className="form-page wrap">
      <h1>{t(isValid ? "invitation.signedInHeading" : "invitation.heading")}</h1>
      <p className="lead">{isValid ? t("invitation.signedIn", { email }) : t("invitation.gone")}</p>
      <p>
        <Link className="button" to={email === null ? "/login" : "/setup"}>
          {t(email === null ? "register.login" : "invitation.goOn")}
        </Link>
      </p>
      <p>
        <Link to={languagePath("/contact")}>{t("register.contact")}</Link>
      </p>
    </article>
  );
}
