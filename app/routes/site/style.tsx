import { data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { Basics } from "~/site/basics";
import { Forms } from "~/site/forms";
import { Results } from "~/site/results";
import { localeOf } from "~/platform/i18n/i18n.server";
import { offersOf } from "~/billing/plans/offers";
import { MARKETED_PRICES } from "~/billing/plans/plans";
import { preloadNamespaces } from "~/platform/i18n/preload-namespaces";
import { welcomeTexts } from "~/site/home/welcome.server";

const TEXTS = ["home", "law", "check", "report", "runs", "history", "contact", "account", "billing", "fixes"] as const;
export const handle = { i18n: [...TEXTS] };
export const clientLoader = preloadNamespaces([...TEXTS]);

/** All components in all states, for developers: `routes.ts` has this page only in development. */
export async function loader({ request }: LoaderFunctionArgs) {
  const locale = await localeOf(request);
  return data({
    offers: offersOf(MARKETED_PRICES, locale),
    questions: welcomeTexts(locale, { selling: true }).questions,
    now: Date.now(),
  });
}

export const meta: MetaFunction = () => [{ title: "app/ui" }];

export default function Style() {
  const { offers, questions, now } = useLoaderData<typeof loader>();
  return (
    <>
      <Basics />
      <Forms />
      <Results offers={offers} questions={questions} now={now} />
    </>
  );
}
