import { data, redirect, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { requireUser } from "~/accounts/guard.server";
import { administrationMeta } from "~/administration/page-meta.server";
import { readForm, textField } from "~/platform/forms/read-form";
import { pageMeta } from "~/platform/http/page-meta";
import { preloadNamespaces } from "~/platform/i18n/preload-namespaces";
import { FormPage } from "~/ui/form/form-page";

export const handle = { i18n: ["admin"] };
export const clientLoader = preloadNamespaces(["admin"]);

/** Page of the link from the output of the server; 404 for any other link. */
export async function loader(args: LoaderFunctionArgs) {
  const token = new URL(args.request.url).searchParams.get("token") ?? "";
  if (!(await args.context.services.firstAdministrator.isValid(token))) throw data(null, { status: 404 });
  const user = await args.context.visitor.user();
  return data({ meta: await administrationMeta(args, "first"), token, email: user?.email ?? null });
}

export async function action(args: ActionFunctionArgs) {
  const { firstAdministrator } = args.context.services;
  const token = textField(await readForm(args.request.clone()), "token");
  if (!(await firstAdministrator.isValid(token))) {
    // Double click.
    if ((await args.context.visitor.user())?.isAdministrator) return redirect("/admin/people", 303);
    throw data(null, { status: 404 });
  }
  const user = await requireUser(args);
  if (!(await firstAdministrator.redeem(token, user))) throw data(null, { status: 404 });
  return redirect("/admin/people", 303);
}

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function First() {
  const { token, email } = useLoaderData<typeof loader>();
  const { t } = useTranslation("admin");
  const here = `/admin/first?token=${token}`;
  if (email === null) {
    const query = `?returnTo=${encodeURIComponent(here)}`;
    return (
      <article className="form-page wrap">
        <h1>{t("first.heading")}</h1>
        <p className="lead">{t("first.lead")}</p>
        <p className="button-row">
          <Link className="button" to={`/register${query}`}>
            {t("first.register")}
          </Link>{" "}
          <Link className="button button-quiet" to={`/login${query}`}>
            {t("first.login")}
          </Link>
        </p>
      </article>
    );
  }
  return (
    <FormPage heading={t("first.heading")} lead={<p>{t("first.signedIn", { email })}</p>} action={here} submit={t("first.submit")}>
      <input type="hidden" name="token" value={token} />
    </FormPage>
  );
}
