import { data, redirect, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { ChangeEmail } from "~/accounts/view/change-email";
import { canChangeProfile, isProved, requireUser, requireProof } from "~/accounts/guard.server";
import { changeEmailSchema } from "~/accounts/forms.server";
import { answerHeaders } from "~/platform/http/answer-headers";
import { emailKey } from "~/platform/forms/email-address";
import { attemptOfUser } from "~/accounts/password-attempt.server";
import { parseSentForm } from "~/platform/forms/form-answer.server";
import { accountPageMeta } from "~/platform/forms/page-texts.server";
import { pageMeta } from "~/platform/http/page-meta";
import { readForm } from "~/platform/forms/read-form";
import { preloadNamespaces } from "~/platform/i18n/preload-namespaces";
import { viewOfUser } from "~/accounts/user-view";

export const handle = { i18n: ["account"] };
export const clientLoader = preloadNamespaces(["account"]);

const PATH = "/profile/email";

export async function loader(args: LoaderFunctionArgs) {
  const user = await requireUser(args);
  const { visitor, services } = args.context;
  if (!canChangeProfile(args.context, user)) throw redirect("/profile/general", 303);
  const sent = new URL(args.request.url).searchParams.has("sent");
  return data({
    meta: await accountPageMeta(args, "email", sent ? "sentHeading" : "title"),
    user: viewOfUser(user),
    sent,
    proved: await isProved(args),
    canProve: services.hosted !== null,
    keepsMails: services.keepsMails,
    kept: await visitor.takeKept(PATH),
  });
}

/** Sends a link to the new address; the address changes only when that link is opened. */
export async function action(args: ActionFunctionArgs) {
  const user = await requireUser(args);
  await requireProof(args);
  const { request, context } = args;
  const { accounts, accountsFor, users, throttle, hosted } = context.services;
  const isHosted = user.subject !== null;
  const sent = await parseSentForm(request, context, await readForm(request), changeEmailSchema(!isHosted));
  if (!sent.value) return sent.refuse();
  const { email, currentPassword = "" } = sent.value;
  if (emailKey(email) === emailKey(user.email)) return sent.refuse({ email: "email_same" });

  const guess = await attemptOfUser(context, user);
  // First: a refused mail must not count as a wrong password.
  const mail = await throttle.mail(context.clientAddress);
  if (!mail.granted) return sent.postpone("throttled", mail.retryAt);
  const attempt = await throttle.signIn(guess);
  if (!attempt.granted) return sent.postpone("throttled", attempt.retryAt);

  if (user.subject !== null && hosted) {
    const { subject } = user;
    const { management } = hosted;
    return sent.unlessBusy(async () => {
      if (!(await management?.changeEmail(subject, email))) return sent.refuse({ email: "email_elsewhere" });
      // First the notice to the old address, then our own row: after a crash in between, a retry of the form still sends it.
      await accounts.announceEmail(user, email);
      await users.setEmail(user.id, email);
      await throttle.succeeded(guess);
      return redirect(`${PATH}?sent`, 303);
    }, () => throttle.refund(guess));
  }
  return sent.unlessBusy(async () => {
    const mayWriteTo = (address: string) => throttle.recipient("change", address);
    if (!(await accountsFor(guess).requestEmail(user, email, currentPassword, mayWriteTo))) {
      return sent.refuse({ currentPassword: "password_wrong" });
    }
    await throttle.succeeded(guess);
    return redirect(`${PATH}?sent`, 303);
  }, () => throttle.refund(guess));
}

export const headers = answerHeaders;

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function ChangeEmailPage() {
  return <ChangeEmail {...useLoaderData<typeof loader>()} answer={useActionData<typeof action>()} />;
}
