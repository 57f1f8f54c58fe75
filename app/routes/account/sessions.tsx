import { data, redirect, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { SessionList } from "~/accounts/view/session-list";
import { requireUser } from "~/accounts/guard.server";
import { signOut } from "~/accounts/sign-out.server";
import { accountPageMeta } from "~/platform/forms/page-texts.server";
import { pageMeta } from "~/platform/http/page-meta";
import { readForm, textField } from "~/platform/forms/read-form";
import { KeptNotice } from "~/ui/form/kept-notice";
import { sessionViews } from "~/accounts/session-views.server";
import { preloadNamespaces } from "~/platform/i18n/preload-namespaces";

export const handle = { i18n: ["account"] };
export const clientLoader = preloadNamespaces(["account"]);

export async function loader(args: LoaderFunctionArgs) {
  const user = await requireUser(args);
  return data({
    meta: await accountPageMeta(args, "sessions"),
    sessions: await sessionViews(args.context, user.id),
    kept: (await args.context.visitor.takeKept("/account/sessions")) !== null,
  });
}

/** Ends one session, or all sessions including this one. */
export async function action(args: ActionFunctionArgs) {
  const user = await requireUser(args);
  const { services, visitor } = args.context;
  const session = textField(await readForm(args.request), "session");
  if (session !== "everywhere") {
    const isEnded = await services.sessions.endOne(user.id, session);
    await visitor.flash(isEnded ? { text: "sessionEnded", kind: "done" } : { text: "nothingToDo", kind: "problem" });
    return redirect("/account/sessions", 303);
  }
  await services.sessions.endAll(user.id);
  const elsewhere = await signOut(args.context);
  if (elsewhere !== null) return redirect(elsewhere, 303);
  await visitor.flash({ text: "signedOutEverywhere", kind: "done" });
  return redirect("/", 303);
}

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function Sessions() {
  const { sessions, kept } = useLoaderData<typeof loader>();
  const { t } = useTranslation("account");
  return (
    <article className="account-page wrap">
      <h1>{t("sessions.heading")}</h1>
      {kept && <KeptNotice isButton />}
      <SessionList sessions={sessions} />
      <p>
        <Link to="/profile/general">{t("sessions.back")}</Link>
      </p>
    </article>
  );
}
