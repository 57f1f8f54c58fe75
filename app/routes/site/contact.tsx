import { data, redirect, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { ContactOptions } from "~/site/contact/contact-options";
import { HoneypotField } from "~/site/contact/honeypot-field";
import { FormPage } from "~/ui/form/form-page";
import { TextArea } from "~/ui/form/text-area";
import { TextField } from "~/ui/form/text-field";
import { Icon } from "~/ui/icon";
import { useLanguagePath } from "~/ui/use-language-path";
import { answerHeaders } from "~/platform/http/answer-headers";
import { HONEYPOT, type ContactProblem } from "~/site/contact/fields";
import { contactSchema } from "~/site/contact/form.server";
import { topicOf } from "~/site/contact/topics";
import { errorOf } from "~/platform/forms/form-answer";
import { parseSentForm } from "~/platform/forms/form-answer.server";
import { localeOf, textsOf } from "~/platform/i18n/i18n.server";
import { retryAfter } from "~/platform/http/error-status";
import { pageMeta } from "~/platform/http/page-meta";
import { titledMeta } from "~/platform/forms/page-texts.server";
import { readForm } from "~/platform/forms/read-form";
import { storageTrouble } from "~/platform/storage-trouble";
import { preloadNamespaces } from "~/platform/i18n/preload-namespaces";

export const handle = { i18n: ["contact"] };
export const clientLoader = preloadNamespaces(["contact"]);

/** `?topic=…` and `?url=…` prefill the form; `?sent` confirms that a message has arrived. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { env, messages } = context.services;
  const t = textsOf(await localeOf(request)).getFixedT(null, "contact");
  const { searchParams } = new URL(request.url);
  const sent = searchParams.has("sent");
  const title = sent ? t("sent.heading") : t("title");
  const { topic, url } = topicOf(searchParams);
  return data({
    meta: await titledMeta({ request, context }, { title, description: t("description") }),
    sent,
    hasReader: messages.hasReader,
    keptDays: messages.keptDays,
    operator: { email: env.OPERATOR_EMAIL ?? null, phone: env.OPERATOR_PHONE ?? null },
    filledIn: {
      email: (await context.visitor.user())?.email ?? "",
      subject: topic ? t(`topic.${topic}.subject`) : "",
      message: topic && topic !== "enterprise" ? t(`topic.${topic}.message`, { url }) : "",
    },
  });
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { messages, throttle } = context.services;
  const locale = await localeOf(request);
  const t = textsOf(locale).getFixedT(null, "contact");
  const sent = await parseSentForm(request, context, await readForm(request), contactSchema, (problem) =>
    t(`problem.${problem as ContactProblem}`),
  );
  if (!sent.value) return sent.refuse();
  const attempt = await throttle.mail(context.clientAddress);
  if (!attempt.granted) {
    return sent.limit((wait) => ({ heading: t("throttled.heading"), text: t("throttled.text", { wait }) }), attempt.retryAt);
  }
  const { email, subject, message } = sent.value;
  try {
    await messages.receive({ email, subject, text: message, locale });
  } catch (error) {
    context.log.error({ err: error }, "a message was not stored");
    const notice = { heading: t("failed.heading"), text: t("failed.text") };
    const trouble = storageTrouble(error);
    return sent.refuseForNow(notice, trouble === null ? { status: 500 } : { status: 503, headers: { "Retry-After": retryAfter(trouble) } });
  }
  return redirect(`${new URL(request.url).pathname}?sent`, 303);
}

export const headers = answerHeaders;

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function Contact() {
  const { sent, hasReader, keptDays, operator, filledIn } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { t } = useTranslation("contact");
  const languagePath = useLanguagePath();
  const nobody = !hasReader && (
    <p className="notice">
      <Icon name="alert" />
      <span>{t("nobody")}</span>
    </p>
  );

  if (sent && !answer) {
    return (
      <article className="form-page wrap">
        <h1>{t("sent.heading")}</h1>
        <p className="lead">{t("sent.lead")}</p>
        {nobody}
        <p>{t("sent.kept", { days: keptDays })}</p>
        <p>
          <Link to="/">{t("sent.home")}</Link>
        </p>
      </article>
    );
  }
  const typed = answer?.values ?? filledIn;
  return (
    <FormPage
      heading={t("heading")}
      lead={
        <>
          <p>{t("lead")}</p>
          {nobody}
        </>
      }
      answer={answer}
      action={languagePath("/contact")}
      submit={t("submit")}
      after={<ContactOptions {...operator} keptDays={keptDays} />}
    >
      <TextField
        id="email"
        name="email"
        label={t("field.email")}
        hint={t("hint.email")}
        error={errorOf(answer, "email")}
        defaultValue={typed.email}
        type="email"
        autoComplete="email"
        required
      />
      <TextField
        id="subject"
        name="subject"
        label={t("field.subject")}
        error={errorOf(answer, "subject")}
        defaultValue={typed.subject}
        type="text"
        autoComplete="off"
        required
      />
      <TextArea
        id="message"
        name="message"
        label={t("field.message")}
        hint={t("hint.message")}
        error={errorOf(answer, "message")}
        rows={10}
        defaultValue={typed.message}
        required
      />
      <HoneypotField error={errorOf(answer, HONEYPOT)} value={answer?.values[HONEYPOT]} />
    </FormPage>
  );
}
