import { data, redirect, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { z } from "zod";
import { OwnPassword } from "~/accounts/view/code-field";
import { NewPasskey } from "~/accounts/view/new-passkey";
import { PasskeyList } from "~/accounts/view/passkey-list";
import { keepNewCodes } from "~/accounts/second-factor/new-codes.server";
import { describeProblem, factorPage, requireLocalUser } from "~/accounts/second-factor/page.server";
import { withRecentSignIn } from "~/accounts/recent-sign-in.server";
import { AnswerSummary } from "~/ui/form/answer-summary";
import { KeptNotice } from "~/ui/form/kept-notice";
import { answerHeaders } from "~/platform/http/answer-headers";
import { parseSentForm } from "~/platform/forms/form-answer.server";
import { readForm } from "~/platform/forms/read-form";
import type { Flash } from "~/platform/http/flash";
import { pageMeta } from "~/platform/http/page-meta";
import { preloadNamespaces } from "~/platform/i18n/preload-namespaces";

export const handle = { i18n: ["factors", "account"] };
export const clientLoader = preloadNamespaces(["factors", "account"]);

const PATH = "/account/second-factor/passkeys";
const OVERVIEW = "/account/second-factor";
const LONGEST_NAME = 60;

const REMOVED: Record<"removed" | "last" | "gone", Flash> = {
  removed: { text: "passkeyRemoved", kind: "done" },
  last: { text: "lastPasskey", kind: "problem" },
  gone: { text: "nothingToDo", kind: "problem" },
};

const schema = z.object({
  name: z
    .string()
    .default("")
    // Invisible characters and direction marks are removed.
    .transform((typed) => typed.replace(/\p{C}+/gu, " ").trim().slice(0, LONGEST_NAME)),
  passkey: z.string().default(""),
  remove: z.string().default(""),
  currentPassword: z.string().optional(),
});

export async function loader(args: LoaderFunctionArgs) {
  const user = await requireLocalUser(args);
  const { services, visitor } = args.context;
  if (!user.emailVerified || !services.passkeys.isPossible) throw redirect(OVERVIEW, 303);
  return data({ ...(await factorPage(args, "passkeys")), passkeys: await services.passkeys.list(user.id), browser: visitor.browserName });
}

/** Adds the passkey that a script got from the browser, or removes a passkey. */
export async function action(args: ActionFunctionArgs) {
  const user = await requireLocalUser(args);
  const { request, context } = args;
  const { services, visitor } = context;
  const { secondFactors, passkeys } = services;
  if (!user.emailVerified || !passkeys.isPossible) return redirect(OVERVIEW, 303);
  const sent = await parseSentForm(request, context, await readForm(request), schema, await describeProblem(request));
  if (!sent.value) return sent.refuse();
  const { name, passkey, remove, currentPassword = "" } = sent.value;
  return withRecentSignIn(context, user, sent, currentPassword, async () => {
    if (remove !== "") {
      const outcome = await secondFactors.removePasskey(user, remove);
      await visitor.flash(REMOVED[outcome]);
      return redirect(outcome === "last" ? `${OVERVIEW}/off` : PATH, 303);
    }
    const codes = passkey === "" ? null : await secondFactors.addPasskey(user, passkey, name || (visitor.browserName ?? "Passkey"));
    if (codes === null) return sent.refuse({ name: "passkey_refused" });
    if (codes.length === 0) {
      await visitor.flash({ text: "passkeyAdded", kind: "done" });
      return redirect(PATH, 303);
    }
    await keepNewCodes(context, codes);
    await visitor.flash({ text: "secondFactorOn", kind: "done" });
    return redirect(`${OVERVIEW}/recovery-codes`, 303);
  });
}

export const headers = answerHeaders;

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function Passkeys() {
  const { passkeys, browser, asksPassword, kept } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { t } = useTranslation("factors");
  return (
    <article className="account-page wrap">
      <AnswerSummary answer={answer} />
      <h1>{t("passkeys.heading")}</h1>
      {kept && !answer && <KeptNotice isEmpty />}
      <p className="lead">{t("passkeys.lead")}</p>
      <NewPasskey action={PATH} name={answer?.values.name ?? browser ?? ""} answer={answer}>
        <OwnPassword asked={asksPassword} answer={answer} />
      </NewPasskey>
      {passkeys.length > 0 && (
        <section aria-labelledby="passkeys">
          <h2 id="passkeys">{t("passkeys.yours")}</h2>
          <PasskeyList action={PATH} passkeys={passkeys} removable={!asksPassword} />
        </section>
      )}
      <p>
        <Link to={OVERVIEW}>{t("overview.heading")}</Link>
      </p>
    </article>
  );
}
