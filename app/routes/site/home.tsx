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
import { CheckForm } from "~/runs/view/check-form";
import { AnswerSummary } from "~/ui/form/answer-summary";
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
import { checkFormSchema, FREE_STANDARD } from "~/runs/check-form.server";
import { colorSchemeOf } from "~/platform/http/color-scheme";
import { clientNetwork } from "~/platform/limits/client-network.server";
import { localeOf, textsOf } from "~/platform/i18n/i18n.server";
import { pageMeta } from "~/platform/http/page-meta";
import { titledMeta } from "~/platform/forms/page-texts.server";
import { choiceOfQuery } from "~/billing/plans/choice";
import { offersOf } from "~/billing/plans/offers";
import { MARKETED_PRICES } from "~/billing/plans/plans";
import { errorOf } from "~/platform/forms/form-answer";
import { parseSentForm } from "~/platform/forms/form-answer.server";
import { readForm } from "~/platform/forms/read-form";
import { parseStartAddress, type AddressProblem } from "~/platform/web/start-address";
import { structuredData } from "~/site/search-engines/structured-data";
import { preloadNamespaces } from "~/platform/i18n/preload-namespaces";
import { welcomeTexts } from "~/site/home/welcome.server";
import { displayAddress } from "~/findings/finding-views.server";
import { NoDiskSpace, TooManyWaiting } from "~/runs/run.server";

export const handle = { i18n: ["home"] };
export const clientLoader = preloadNamespaces(["home"]);

export async function loader({ request, context }: LoaderFunctionArgs) {
  const locale = await localeOf(request);
  const t = textsOf(locale).getFixedT(null, "home");
  const title = t("title");
  const { billing, env, refusesAddress } = context.services;
  const choice = choiceOfQuery(new URL(request.url).searchParams);
  const wanted = parseStartAddress(choice.url, refusesAddress);
  const prices = billing && ((await billing.shownPrices()) ?? MARKETED_PRICES);
  const texts = welcomeTexts(locale, { selling: billing !== null });
  const description = t("description");
  return data({
    locale,
    colorScheme: colorSchemeOf(request),
    statistics: await context.services.statistics.read(),
    offers: prices && offersOf(prices, locale),
    mostPages: env.SCAN_MAX_PAGES,
    choice,
    wantedHost: wanted.ok ? displayAddress(wanted.url) : null,
    texts,
    sourceUrl: env.SOURCE_URL,
    structured: structuredData({
      baseUrl: env.BASE_URL,
      locale,
      description,
      free: t("form.submit"),
      prices: (prices ?? []).map(({ plan, rhythm, amounts }) => {
        const name = t(`pricing.${plan}.name`);
        return { rhythm, amounts, name: rhythm === "month" ? `${name}, ${t("pricing.perMonth")}` : name };
      }),
      questions: texts.questions.list,
    }),
    meta: await titledMeta({ request, context }, { title, description }),
  });
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { runs, freeChecks, networkParty, refusesAddress } = context.services;
  const locale = await localeOf(request);
  const t = textsOf(locale).getFixedT(null, "home");
  const sent = await parseSentForm(request, context, await readForm(request), checkFormSchema(refusesAddress), (problem) =>
    t(`address.${problem as AddressProblem}`),
  );
  if (!sent.value) return sent.refuse();

  const notice = (text: string) => ({ heading: t("limitHeading"), text });
  const noSpace = () => sent.refuseForNow(notice(t("noSpace")), { status: 503, headers: { "Retry-After": "600" } });
  if (!runs.hasSpace()) return noSpace();
  const attempt = await freeChecks.take(clientNetwork(context.clientAddress));
  if (!attempt.granted) {
    const { limit: count, retryAt } = attempt;
    return sent.limit((wait) => notice(t("limit", { count, wait })), retryAt);
  }

  const scan = { url: sent.value.url, scope: "page", standard: FREE_STANDARD, owner: null } as const;
  try {
    const run = await runs.start({ ...scan, party: networkParty(context.clientAddress) });
    return redirect(`/check/${run.id}`, 303);
  } catch (error) {
    if (error instanceof NoDiskSpace) return noSpace();
    if (!(error instanceof TooManyWaiting)) throw error;
    return sent.refuseForNow(notice(t("waiting")), { status: 429, headers: { "Retry-After": "60" } });
  }
}

export const headers = answerHeaders;

export const meta: MetaFunction<typeof loader> = ({ data: home }) => pageMeta(home?.meta);

export default function Home() {
  const { locale, colorScheme, statistics, offers, mostPages, choice, wantedHost, texts, sourceUrl, structured } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { nonce } = useContext(RequestContext);
  const { t } = useTranslation("home");

  return (
    <>
      <section className="hero">
        <div className="wrap">
          <AnswerSummary answer={answer} />
          <h1>{t("hero.heading")}</h1>
          <p className="lead">{t("hero.lead")}</p>
          <CheckForm typed={answer?.values.url} error={errorOf(answer, "url")} />
          <Facts />
        </div>
        <RampPicture />
      </section>
      <HowItWorks />
      <FreeCheck texts={texts.free} />
      <ReportContents texts={texts.report} locale={locale} scheme={colorScheme} />
      {offers && <Pricing offers={offers} choice={choice} wantedHost={wantedHost} mostPages={mostPages} />}
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
