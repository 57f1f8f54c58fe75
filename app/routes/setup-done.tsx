import { setTimeout as delay } from "node:timers/promises";
import { data, redirect, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { OutboxNotice } from "~/components/account/outbox-notice";
import { useLanguagePath } from "~/components/use-language-path";
import { requireUser } from "~/guard.server";
import { ProviderUnavailable } from "~/lib/billing-errors";
import { localeOf, textsOf } from "~/lib/i18n.server";
import { ownPath } from "~/lib/own-path";
import { pageMeta } from "~/lib/page-meta";
import { notAllowed } from "~/lib/refusals";
import { textsFirst } from "~/lib/texts-first";

export const handle = { i18n: ["account", "billing"] };
export const clientLoader = textsFirst(["account", "billing"]);

// As with the free check: most payments are there by then, and somebody without scripts reads it in the first answer.
const WAIT_MS = 8_000;
const LOOK_EVERY_MS = 1_000;

const UNKNOWN = { outcome: "unknown", way: "checkout", url: null } as const;

/** Where the provider leads back to, and where orders by mail end. It may be there before the money is. */
export async function loader(args: LoaderFunctionArgs) {
  const user = await requireUser(args);
  const { request, context } = args;
  const { billing, keepsMails, env } = context.services;
  const order = new URL(request.url).searchParams.get("order") ?? "";
  if (!billing) throw redirect("/setup");

  const end = Date.now() + WAIT_MS;
  const ask = () =>
    billing.outcomeOf(user, order).catch((error: unknown) => {
      if (!(error instanceof ProviderUnavailable)) throw error;
      context.log.warn({ err: error }, "the provider was not to be asked about an order");
      return UNKNOWN;
    });
  // A provider that is slow keeps nobody waiting for longer.
  const look = <Otherwise,>(otherwise: Otherwise) =>
    Promise.race([ask(), delay(Math.max(1, end - Date.now()), otherwise, { ref: false })]);
  let state = await look(UNKNOWN);
  while (state?.outcome === "pending" && Date.now() + LOOK_EVERY_MS < end && !request.signal.aborted) {
    await delay(LOOK_EVERY_MS);
    state = await look(state);
  }
  // No order of theirs.
  if (state === undefined) throw redirect("/setup");

  const { outcome, way, url } = state;
  const t = textsOf(await localeOf(request)).getFixedT(null, ["billing", "common"]);
  return data({
    meta: { title: t("common:title", { page: t("billing:done.title") }), description: t("billing:done.description") },
    // Until it is paid, an order by mail is about that mail.
    result: outcome === "open" && way !== "checkout" ? way : outcome,
    order,
    payAt: url && ownPath(url, env.BASE_URL),
    email: user.email,
    keepsMails,
  });
}

export const action = notAllowed;

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function OrderDone() {
  const { result, order, payAt, email, keepsMails } = useLoaderData<typeof loader>();
  const { t } = useTranslation("billing");
  const languagePath = useLanguagePath();
  const isMailed = result === "link" || result === "invoice";
  return (
    <article className="form-page wrap">
      <h1>{t(`done.${result}.heading`)}</h1>
      <p className="lead">{t(`done.${result}.text`, { email })}</p>
      <OutboxNotice shown={isMailed && keepsMails} />
      {result === "failed" && (
        <p>
          {t("purchases.trouble")} <Link to={`${languagePath("/contact")}?topic=billing`}>{t("purchases.write")}</Link>
        </p>
      )}
      <p className="button-row">
        {result === "paid" && (
          <Link className="button" to="/runs">
            {t("done.toRuns")}
          </Link>
        )}
        {payAt && (
          <a className={isMailed ? "button button-quiet" : "button"} href={payAt}>
            {t(result === "invoice" ? "done.toInvoice" : "done.toCheckout")}
          </a>
        )}
        {(result === "pending" || result === "unknown") && (
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
