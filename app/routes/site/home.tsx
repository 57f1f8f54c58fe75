import {
  data,
  redirect,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { useContext } from "react";
import { useTranslation } from "react-i18next";
import { CheckForm, URL_FIELD_ID } from "~/runs/view/check-form";
import { ErrorSummary } from "~/ui/form/error-summary";
import { Facts } from "~/site/home/facts";
import { FreeCheck } from "~/site/home/free-check";
import { HowItWorks } from "~/site/home/how-it-works";
import { OpenSource } from "~/site/home/open-source";
import { Pricing } from "~/site/home/pricing";
import { Questions } from "~/site/home/questions";
import { RampPicture } from "~/site/home/ramp-picture";
import { ReportContents } from "~/site/home/report-contents";
import { Statistics } from "~/site/home/statistics";
import { RequestContext } from "~/ui/request-context";
import { answerHeaders } from "~/platform/http/answer-headers";
import { checkFormSchema, FREE_STANDARD, isAddressProblem } from "~/runs/check-form";
import { formatMinutes } from "~/platform/i18n/format-minutes";
import { localeOf, textsOf } from "~/platform/i18n/i18n.server";
import { pageMeta } from "~/platform/http/page-meta";
import { choiceOfQuery } from "~/billing/plans/choice";
import { offersOf } from "~/billing/plans/offers";
import { MARKETED_PRICES } from "~/billing/plans/plans";
import { parseForm } from "~/platform/forms/parse-form";
import { readForm, textField } from "~/platform/forms/read-form";
import { parseStartAddress } from "~/platform/web/start-address";
import { structuredData } from "~/site/search-engines/structured-data";
import { preloadNamespaces } from "~/platform/i18n/preload-namespaces";
import { welcomeTexts } from "~/site/home/welcome.server";
import { displayAddress } from "~/findings/finding-views.server";
import { NoDiskSpace, TooManyWaiting } from "~/runs/run.server";

export const handle = { i18n: ["home"] };
export const clientLoader = preloadNamespaces(["home"]);

/** An address may have 2,048 characters; a longer one is cut, as the visitor only needs to see that it is too long. */
const MAX_ECHO = 2_048;

export async function loader({ request, context }: LoaderFunctionArgs) {
  const locale = await localeOf(request);
  const t = textsOf(locale).getFixedT(null, ["home", "common"]);
  const title = t("home:title");
  const { billing, env, refusesAddress } = context.services;
  const choice = choiceOfQuery(new URL(request.url).searchParams);
  const wanted = parseStartAddress(choice.url, refusesAddress);
  const prices = billing && ((await billing.shownPrices()) ?? MARKETED_PRICES);
  const texts = welcomeTexts(locale, { selling: billing !== null });
  const description = t("home:description");
  return data({
    statistics: await context.services.statistics.read(),
    offers: prices && offersOf(prices, locale),
    choice,
    wantedHost: wanted.ok ? displayAddress(wanted.url) : null,
    texts,
    sourceUrl: env.SOURCE_URL,
    structured: structuredData({
      baseUrl: env.BASE_URL,
      locale,
      description,
      free: t("home:form.submit"),
      prices: (prices ?? []).map(({ plan, rhythm, amounts }) => {
        const name = t(`home:pricing.${plan}.name`);
        return { rhythm, amounts, name: rhythm === "month" ? `${name}, ${t("home:pricing.perMonth")}` : name };
      }),
      questions: texts.questions.list,
    }),
    meta: {
      title: t("common:title", { page: context.formProblem ? t("common:form.titlePrefix", { title }) : title }),
      description,
    },
  });
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { runs, freeChecks, networkParty, refusesAddress } = context.services;
  const locale = await localeOf(request);
  const t = textsOf(locale).getFixedT(null, "home");
  const form = await readForm(request);
  const typed = textField(form, "url");
  form.set("url", typed);

  const parsed = parseForm(form, checkFormSchema(refusesAddress));
  if (!parsed.value) {
    context.formProblem = true;
    const problem = [parsed.problems.url ?? ""].find(isAddressProblem) ?? "not_an_address";
    return data({ typed: typed.slice(0, MAX_ECHO), error: t(`address.${problem}`), notice: null }, { status: 422 });
  }

  if (!runs.hasSpace()) return noSpace();
  const allowance = await freeChecks.take(context.clientAddress);
  if (!allowance.granted) {
    context.formProblem = true;
    const seconds = Math.max(1, Math.ceil((allowance.retryAt - Date.now()) / 1000));
    const wait = formatMinutes(Math.ceil(seconds / 60), locale);
    return data(
      { typed, error: null, notice: t("limit", { count: allowance.limit, wait }) },
      { status: 429, headers: { "Retry-After": String(seconds) } },
    );
  }

  const order = { url: parsed.value.url, scope: "page", standard: FREE_STANDARD, owner: null } as const;
  try {
    const run = await runs.start({ ...order, party: networkParty(context.clientAddress) });
    return redirect(`/check/${run.id}`, 303);
  } catch (error) {
    if (!(error instanceof TooManyWaiting || error instanceof NoDiskSpace)) throw error;
    if (error instanceof NoDiskSpace) return noSpace();
    context.formProblem = true;
    return data({ typed, error: null, notice: t("waiting") }, { status: 429, headers: { "Retry-After": "60" } });
  }

  function noSpace() {
    context.formProblem = true;
    return data({ typed, error: null, notice: t("noSpace") }, { status: 503, headers: { "Retry-After": "600" } });
  }
}

export const headers = answerHeaders;

export const meta: MetaFunction<typeof loader> = ({ data: home }) => pageMeta(home?.meta);

export default function Home() {
  const { statistics, offers, choice, wantedHost, texts, sourceUrl, structured } = useLoaderData<typeof loader>();
  const problem = useActionData<typeof action>();
  const { nonce } = useContext(RequestContext);
  const { t } = useTranslation("home");

  return (
    <>
      <section className="hero">
        <div className="wrap">
          {problem?.error && <ErrorSummary errors={[{ fieldId: URL_FIELD_ID, message: problem.error }]} />}
          {problem?.notice && <ErrorSummary heading={t("limitHeading")} errors={[{ message: problem.notice }]} />}
          <h1>{t("hero.heading")}</h1>
          <p className="lead">{t("hero.lead")}</p>
          <CheckForm typed={problem?.typed} error={problem?.error ?? undefined} />
          <Facts />
        </div>
        <RampPicture />
      </section>
      <HowItWorks />
      <FreeCheck texts={texts.free} />
      <ReportContents texts={texts.report} />
      {offers && <Pricing offers={offers} choice={choice} wantedHost={wantedHost} />}
      <Statistics {...statistics} />
      <OpenSource texts={texts.source} sourceUrl={sourceUrl} />
      <Questions texts={texts.questions} />
      {/* Browsers hide the nonce from scripts: server and browser always differ. */}
      <script
        type="application/ld+json"
        nonce={nonce}
        suppressHydrationWarning
        dangerouslySetInnerHTML={{ __html: structured }}
      />
    </>
  );
}
