import { setTimeout as delay } from "node:timers/promises";
import { data, redirect, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { requireUser } from "~/guard.server";
import { ProviderUnavailable } from "~/lib/billing-errors";
import { localeOf, textsOf } from "~/lib/i18n.server";
import { pageMeta } from "~/lib/page-meta";
import { notAllowed } from "~/lib/refusals";
import { textsFirst } from "~/lib/texts-first";

export const handle = { i18n: ["billing"] };
export const clientLoader = textsFirst(["billing"]);

// As with the free check: most payments are there by then, and somebody without scripts reads it in the first answer.
const WAIT_MS = 8_000;
const LOOK_EVERY_MS = 1_000;

/** Where the provider leads back to. It may be there before the money is. */
export async function loader(args: LoaderFunctionArgs) {
  const user = await requireUser(args);
  const { request, context } = args;
  const { billing } = context.services;
  const order = new URL(request.url).searchParams.get("order") ?? "";
  if (!billing) throw redirect("/setup");

  const end = Date.now() + WAIT_MS;
  const look = () =>
    billing.outcomeOf(user, order).catch((error: unknown) => {
      if (!(error instanceof ProviderUnavailable)) throw error;
      context.log.warn({ err: error }, "the provider was not to be asked about an order");
      return "pending" as const;
    });
  let outcome = await look();
  while (outcome === "pending" && Date.now() + LOOK_EVERY_MS < end && !request.signal.aborted) {
    await delay(LOOK_EVERY_MS);
    outcome = await look();
  }
  // No order of theirs.
  if (outcome === undefined) throw redirect("/setup");

  const t = textsOf(await localeOf(request)).getFixedT(null, ["billing", "common"]);
  const meta = { title: t("common:title", { page: t("billing:done.title") }), description: t("billing:done.description") };
  return data({ meta, outcome, order });
}

export const action = notAllowed;

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function OrderDone() {
  const { outcome, order } = useLoaderData<typeof loader>();
  const { t } = useTranslation("billing");
  return (
    <article className="form-page wrap">
      <h1>{t(`done.${outcome}.heading`)}</h1>
      <p className="lead">{t(`done.${outcome}.text`)}</p>
      <p className="button-row">
        {outcome === "paid" && (
          <Link className="button" to="/runs">
            {t("done.toRuns")}
          </Link>
        )}
        {outcome === "pending" && (
          <a className="button" href={`/setup/done?order=${encodeURIComponent(order)}`}>
            {t("done.again")}
          </a>
        )}{" "}
        <Link className="button button-quiet" to="/setup">
          {t("done.toSetup")}
        </Link>
      </p>
    </article>
  );
}
