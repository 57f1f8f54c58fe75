import {
  data,
  redirect,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/node";
import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { Reauthentication } from "~/accounts/view/reauthentication";
import { Checkbox } from "~/ui/form/checkbox";
import { FormPage } from "~/ui/form/form-page";
import { KeptNotice } from "~/ui/form/kept-notice";
import { PasswordField } from "~/ui/form/password-field";
import { isProved, requireProof, requireUser } from "~/accounts/guard.server";
import { signOut } from "~/accounts/sign-out.server";
import { deleteAccountSchema } from "~/accounts/forms.server";
import { answerHeaders } from "~/platform/http/answer-headers";
import { errorOf } from "~/platform/forms/form-answer";
import { parseSentForm } from "~/platform/forms/form-answer.server";
import { attemptOfUser } from "~/accounts/password-attempt.server";
import { accountPageMeta } from "~/platform/forms/page-texts.server";
import { pageMeta } from "~/platform/http/page-meta";
import { readForm } from "~/platform/forms/read-form";
import { preloadNamespaces } from "~/platform/i18n/preload-namespaces";
import { viewOfUser } from "~/accounts/user-view";
import type { DeletionBlocker } from "~/billing/cancellation.server";

export const handle = { i18n: ["account"] };
export const clientLoader = preloadNamespaces(["account"]);

const PATH = "/account/delete";
const RETRY_MS = 120_000;

export async function loader(args: LoaderFunctionArgs) {
  const user = await requireUser(args);
  const kept = (await args.context.visitor.takeKept(PATH)) !== null;
  return data({ meta: await accountPageMeta(args, "delete"), user: viewOfUser(user), proved: await isProved(args), canProve: args.context.services.hosted !== null, kept });
}

export async function action(args: ActionFunctionArgs) {
  const user = await requireUser(args);
  await requireProof(args);
  const { request, context } = args;
  const { accountsFor, administrators, billing, throttle } = context.services;
  const isHosted = user.subject !== null;
  const sent = await parseSentForm(request, context, await readForm(request), deleteAccountSchema(!isHosted));
  const confirmed = sent.value;
  if (!confirmed) return sent.refuse();
  if (await administrators.isLast(user)) return sent.refuse({ confirmed: "last_administrator" });
  const guess = await attemptOfUser(context, user);
  const attempt = await throttle.signIn(guess);
  if (!attempt.granted) return sent.postpone("throttled", attempt.retryAt);

  return sent.unlessBusy(async () => {
    const password = isHosted ? null : (confirmed.currentPassword ?? "");
    let blocker = null as DeletionBlocker | null;
    // Canceled first: running subscriptions and later payments at the provider would belong to no account.
    const mayGo = async () => (blocker = (await billing?.cancelForAccountDeletion(user.id)) ?? null) === null;
    let isLast = false as boolean;
    // Second check: the other administrator may be gone meanwhile.
    const isGone = await accountsFor(guess).remove(user, password, mayGo, async (trx) => (isLast = await administrators.isLast(user, trx)));
    if (!isGone && !blocker && !isLast) return sent.refuse({ currentPassword: "password_wrong" });
    await throttle.succeeded(guess);
    if (isLast) return sent.refuse({ confirmed: "last_administrator" });
    if (blocker === "unreachable") return sent.postpone("orders", Date.now() + RETRY_MS);
    if (blocker) return sent.refuse({ confirmed: blocker });
    const elsewhere = await signOut(context);
    if (isHosted && elsewhere !== null) return redirect(elsewhere, 303);
    await context.visitor.flash({ text: "accountDeleted", kind: "done" });
    return redirect("/", 303);
  }, () => throttle.refund(guess));
}

export const headers = answerHeaders;

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function DeleteAccount() {
  const { user, proved, canProve, kept } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { t } = useTranslation("account");
  if (!proved) return <Reauthentication heading={t("delete.heading")} action={PATH} back="/setup" possible={canProve} />;
  return (
    <FormPage
      heading={t("delete.heading")}
      lead={
        <>
          {kept && !answer && <KeptNotice />}
          <p>{t("delete.lead", { email: user.email })}</p>
        </>
      }
      answer={answer}
      action={PATH}
      submit={t("delete.submit")}
      danger
      after={<Link to="/setup">{t("cancel")}</Link>}
    >
      <h2>{t("delete.goesHeading")}</h2>
      <ul>
        {t("delete.goes", { returnObjects: true }).map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ul>
      <h2>{t("delete.staysHeading")}</h2>
      <ul>
        {t("delete.stays", { returnObjects: true }).map((item) => (
          <li key={item}>{item}</li>
        ))}
        {user.isHosted && <li>{t("delete.staysHosted")}</li>}
      </ul>
      <p>
        <a href="/account/export">
          {t("delete.exportFirst")}
        </a>
      </p>
      <Checkbox id="confirmed" name="confirmed" value="yes" label={t("delete.confirm")} error={errorOf(answer, "confirmed")} />
      {!user.isHosted && (
        <PasswordField
          id="currentPassword"
          name="currentPassword"
          label={t("field.currentPassword")}
          error={errorOf(answer, "currentPassword")}
          autoComplete="current-password"
        />
      )}
    </FormPage>
  );
}
