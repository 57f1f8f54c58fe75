import {
  data,
  redirect,
  type ActionFunctionArgs,
  type AppLoadContext,
  type LoaderFunctionArgs,
  type MetaFunction,
  type SerializeFrom,
} from "@remix-run/node";
import { Form, Link, useActionData, useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { z } from "zod";
import { ConfirmElsewhere } from "~/accounts/view/confirm-elsewhere";
import { OutboxNotice } from "~/accounts/view/outbox-notice";
import { FormPage } from "~/ui/form/form-page";
import { pageOrSetup } from "~/billing/guard.server";
import { requireUser } from "~/accounts/guard.server";
import { answerHeaders } from "~/platform/http/answer-headers";
import { accountPageMeta } from "~/platform/forms/page-texts.server";
import { pageMeta } from "~/platform/http/page-meta";
import { secondsUntil } from "~/platform/limits/rate-limit.server";
import { parseSentForm } from "~/platform/forms/form-answer.server";
import { localeOf, textsOf } from "~/platform/i18n/i18n.server";
import { readForm, textField } from "~/platform/forms/read-form";
import { IdentityUnavailable } from "~/accounts/sign-in-errors";
import { preloadNamespaces } from "~/platform/i18n/preload-namespaces";
import { viewOfUser } from "~/accounts/user-view";

export const handle = { i18n: ["account"] };
export const clientLoader = preloadNamespaces(["account"]);

const RETRY_AFTER_SECONDS = 60;

export async function loader(args: LoaderFunctionArgs) {
  const { searchParams } = new URL(args.request.url);
  const elsewhere = await openedElsewhere(args.context, searchParams.get("token"));
  if (elsewhere) return data({ meta: await accountPageMeta(args, "verify"), elsewhere });
  const user = await requireUser(args);
  return data({
    elsewhere: null,
    meta: await accountPageMeta(args, "verify", searchParams.has("sent") ? "sentHeading" : "title"),
    user: viewOfUser(user),
    // Opening the link changes nothing: mail programs open links automatically.
    token: searchParams.get("token"),
    sent: searchParams.has("sent"),
    used: searchParams.has("used"),
    keepsMails: user.subject === null && args.context.services.keepsMails,
  });
}

/** Account and its open access, if the link is opened in a browser without a session of that account: its owner may end that access. */
async function openedElsewhere({ services, visitor }: AppLoadContext, token: string | null) {
  const found = token && (await services.accounts.accessGrantsBehind(token));
  if (!found || (await visitor.user())?.id === found.userId) return null;
  return { token, email: found.email, accessGrants: found.accessGrants };
}

/** With a token, confirms the address that got the token; without one, sends a token. */
export async function action(args: ActionFunctionArgs) {
  const { request, context } = args;
  const { accounts, throttle, hosted } = context.services;
  const form = await readForm(request.clone());
  const token = textField(form, "token");
  if (textField(form, "elsewhere") !== "") {
    const kept = form.getAll("keep").filter((id) => typeof id === "string");
    const confirmed = await accounts.confirmElsewhere(token, kept);
    if (!confirmed) {
      // After a double click, the password is already removed, and the answer with the link to a new one was never shown.
      await context.visitor.flash({ text: "confirmedBefore", kind: "problem" });
      return redirect("/forgot-password", 303);
    }
    await context.visitor.flash({ text: "confirmedElsewhere", kind: "done", values: confirmed.ended });
    return redirect(confirmed.link, 303);
  }
  const user = await requireUser(args);
  const t = textsOf(await localeOf(request)).getFixedT(null, "account");
  const sent = await parseSentForm(request, context, form, z.object({}));
  const refuse = (problem: "gone" | "taken" | "throttled" | "identity", init: { status: number; headers?: HeadersInit }) =>
    sent.refuseForNow({ heading: t("verify.problemHeading"), text: t(`verify.problem.${problem}`) }, init);
  if (token !== "") {
    const outcome = await accounts.verify(user.id, token);
    if (outcome === "verified" || outcome === "changed") {
      // New session id: a confirmed address has more rights.
      await context.visitor.renew();
      await context.visitor.flash({ text: outcome === "verified" ? "emailVerified" : "emailChanged", kind: "done" });
      return redirect(await pageOrSetup(context, user.id, "/profile/general"), 303);
    }
    // Double click, link used before, or expired link to a new address.
    if (outcome === null && user.emailVerified) return redirect("/account/verify?used", 303);
    return refuse(outcome ?? "gone", { status: 422 });
  }

  // Old tab: the address is already confirmed.
  if (user.emailVerified) return redirect("/account/verify", 303);
  const attempt = await throttle.mailTo("verify", user.email, context.clientAddress);
  if (!attempt.granted) return refuse("throttled", { status: 429, headers: { "Retry-After": String(secondsUntil(attempt.retryAt)) } });
  try {
    if (user.subject !== null && hosted?.management) await hosted.management.sendVerification(user.subject);
    else await accounts.sendVerification(user);
  } catch (error) {
    if (!(error instanceof IdentityUnavailable)) throw error;
    context.log.error({ err: error }, "the identity provider was not to be reached");
    return refuse("identity", { status: 503, headers: { "Retry-After": String(RETRY_AFTER_SECONDS) } });
  }
  return redirect("/account/verify?sent", 303);
}

export const headers = answerHeaders;

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function Verify() {
  const page = useLoaderData<typeof loader>();
  return page.elsewhere ? <ConfirmElsewhere {...page.elsewhere} /> : <OwnAddress {...page} />;
}

type OwnAddressProps = Pick<Extract<SerializeFrom<typeof loader>, { elsewhere: null }>, "user" | "token" | "sent" | "used" | "keepsMails">;

function OwnAddress({ user, token, sent, used, keepsMails }: OwnAddressProps) {
  const answer = useActionData<typeof action>();
  const { t } = useTranslation("account");

  if (token !== null && !answer) {
    return (
      <FormPage
        heading={t("verify.confirmHeading")}
        lead={<p>{t("verify.confirm")}</p>}
        action={`/account/verify?token=${encodeURIComponent(token)}`}
        submit={t("verify.confirmSubmit")}
      >
        <input type="hidden" name="token" value={token} />
      </FormPage>
    );
  }
  if (user.emailVerified && !answer) {
    return (
      <article className="form-page wrap">
        <h1>{t("verify.heading")}</h1>
        <p className="lead">{t(used ? "verify.used" : "verify.done", { email: user.email })}</p>
        <p>
          <Link to="/profile/general">{t("verify.back")}</Link>
        </p>
      </article>
    );
  }
  if (sent && !answer) {
    return (
      <article className="form-page wrap">
        <h1>{t("verify.sentHeading")}</h1>
        <p className="lead">{t("verify.sent", { email: user.email })}</p>
        <OutboxNotice shown={keepsMails} />
        <p>{user.isHosted ? t("verify.sentHosted") : t("verify.sentHint")}</p>
        <Form method="post" action="/account/verify">
          <button className="button button-quiet" type="submit">
            {t("verify.again")}
          </button>
        </Form>
      </article>
    );
  }
  return (
    <FormPage
      heading={t("verify.heading")}
      lead={<p>{t("verify.lead", { email: user.email })}</p>}
      answer={answer}
      action="/account/verify"
      submit={t("verify.submit")}
      after={<Link to="/profile/general">{t("verify.back")}</Link>}
    />
  );
}
