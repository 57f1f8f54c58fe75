import { data, redirect, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { FormPage } from "~/ui/form/form-page";
import { localeOf, textsOf } from "~/platform/i18n/i18n.server";
import { pageMeta } from "~/platform/http/page-meta";
import { titledMeta } from "~/platform/forms/page-texts.server";
import { readForm, textField } from "~/platform/forms/read-form";
import { loadedHeaders } from "~/platform/http/answer-headers";
import { preloadNamespaces } from "~/platform/i18n/preload-namespaces";

export const handle = { i18n: ["history"] };
export const clientLoader = preloadNamespaces(["history"]);

/** Opening the link changes nothing: mail programs open links automatically. */
export async function loader(args: LoaderFunctionArgs) {
  const token = args.params.token ?? "";
  const { schedules, finishedMails } = args.context.services;
  const about = (await schedules.unsubscribed(token)) ?? (await finishedMails.unsubscribed(token));
  if (!about) throw data(null, { status: 404 });
  const t = textsOf(await localeOf(args.request)).getFixedT(null, "history");
  return data(
    {
      meta: await titledMeta(args, { title: t(about.mails ? "unsubscribe.title" : "unsubscribe.doneHeading"), description: t("unsubscribe.description") }),
      token,
      // Null: mails about all finished scans.
      url: "url" in about ? about.url : null,
      mails: about.mails,
    },
    { headers: { "X-Robots-Tag": "noindex" } },
  );
}

/** Works without sign-in: a mail program's unsubscribe button may send the request (RFC 8058). */
export async function action({ request, params, context }: ActionFunctionArgs) {
  const token = params.token ?? "";
  const { schedules, finishedMails } = context.services;
  const isKnown = (await schedules.unsubscribe(token)) || (await finishedMails.unsubscribe(token));
  if (!isKnown) throw data(null, { status: 404 });
  // No redirect for mail programs.
  if (textField(await readForm(request), "List-Unsubscribe") === "One-Click") return null;
  return redirect(`/unsubscribe/${encodeURIComponent(token)}`, 303);
}

export const headers = loadedHeaders;

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function Unsubscribe() {
  const { token, url, mails } = useLoaderData<typeof loader>();
  const { t } = useTranslation("history");
  if (!mails) {
    return (
      <article className="form-page wrap">
        <h1>{t("unsubscribe.doneHeading")}</h1>
        <p className="lead">
          {url === null ? t("unsubscribe.finishedDone") : t("unsubscribe.done")} <span className="address">{url}</span>
        </p>
        <StillPossible isOfSchedule={url !== null} />
      </article>
    );
  }
  return (
    <FormPage
      heading={t("unsubscribe.heading")}
      lead={
        <p>
          {url === null ? t("unsubscribe.finishedLead") : t("unsubscribe.lead")} <span className="address">{url}</span>
        </p>
      }
      action={`/unsubscribe/${encodeURIComponent(token)}`}
      submit={t("unsubscribe.submit")}
      after={<StillPossible isOfSchedule={url !== null} />}
    />
  );
}

/** Note: unsubscribing from mails does not end the scans. */
function StillPossible({ isOfSchedule }: { isOfSchedule: boolean }) {
  const { t } = useTranslation("history");
  if (!isOfSchedule) return <p>{t("unsubscribe.finishedAgain")}</p>;
  return (
    <p>
      {t("unsubscribe.goesOn")} <Link to="/runs/schedules">{t("schedules.all")}</Link>
    </p>
  );
}
