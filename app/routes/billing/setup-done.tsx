import { setTimeout as delay } from "node:timers/promises";
import { data, redirect, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { OutboxNotice } from "~/accounts/view/outbox-notice";
import { OrderResult } from "~/billing/view/order-result";
import { useLanguagePath } from "~/ui/use-language-path";
import { requireUser } from "~/accounts/guard.server";
import { ProviderUnavailable } from "~/billing/billing-errors";
import { localeOf, textsOf } from "~/platform/i18n/i18n.server";
import { ownPath } from "~/platform/http/own-path";
import { pageMeta } from "~/platform/http/page-meta";
import { choicePath } from "~/billing/plans/choice";
import { methodNotAllowed } from "~/platform/http/method-not-allowed";
import { preloadNamespaces } from "~/platform/i18n/preload-namespaces";
import { displayAddress } from "~/findings/finding-views.server";
import type { OrderState } from "~/billing/checkout.server";
import type { RunLists } from "~/runs/list.server";
import { isOver, type Run } from "~/runs/run";
import type { User } from "~/accounts/user.server";

export const handle = { i18n: ["account", "billing", "home"] };
export const clientLoader = preloadNamespaces(["account", "billing", "home"]);

// The same time as for the free check: enough for most payments, so that the first answer shows them without scripts.
const WAIT_MS = 8_000;
const LOOK_EVERY_MS = 1_000;

const NOTHING = { plan: null, rhythm: null, url: null, checkId: null };
const UNKNOWN = { outcome: "unknown", way: "checkout", url: null, wanted: NOTHING, fulfilled: false, scanId: null, orderedAt: 0 } as const;

type SeenState = OrderState | typeof UNKNOWN;

/** Last page of an order: after the provider's redirect, or after an order by mail. The visitor may arrive before the payment. */
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
  // A slow provider must not extend the waiting time.
  const look = <Otherwise,>(otherwise: Otherwise) =>
    Promise.race([ask(), delay(Math.max(1, end - Date.now()), otherwise, { ref: false })]);
  let state = await look(UNKNOWN);
  while (state && isUnderWay(state) && Date.now() + LOOK_EVERY_MS < end && !request.signal.aborted) {
    await delay(LOOK_EVERY_MS);
    state = await look(state);
  }
  // This user has no such order.
  if (state === undefined) throw redirect("/setup");

  const { outcome, way, url, wanted } = state;
  // An order by mail has its way as the result until it is paid.
  const result = outcome === "open" && way !== "checkout" ? way : outcome;
  const t = textsOf(await localeOf(request)).getFixedT(null, ["billing", "common"]);
  return data({
    meta: { title: t("common:title", { page: t(`billing:done.${result}.heading`) }), description: t("billing:done.description") },
    result,
    order,
    bought: outcome === "paid" ? await boughtView(args, user, state) : null,
    setup: choicePath("/setup", {
      plan: wanted.plan ?? "",
      rhythm: wanted.rhythm ?? "",
      url: wanted.url ?? "",
      check: wanted.checkId ?? "",
    }),
    payAt: url && ownPath(url, env.BASE_URL),
    email: user.email,
    keepsMails,
  });
}

/** Payment or fulfilment is still pending. */
function isUnderWay({ outcome, fulfilled }: SeenState): boolean {
  return outcome === "pending" || (outcome === "paid" && !fulfilled);
}

async function boughtView({ context }: LoaderFunctionArgs, user: User, { wanted, fulfilled, scanId, orderedAt }: SeenState) {
  const { runs, runLists, purchases, schedules } = context.services;
  const { plan, rhythm, url, checkId } = wanted;
  const report = checkId ? await runs.ofOwner(checkId, user.id) : undefined;
  const started = scanId ? await runs.ofOwner(scanId, user.id) : undefined;
  const scan = started ?? (fulfilled && url !== null ? await siteScanSince(runLists, user.id, { url, since: orderedAt }) : undefined);
  return {
    plan,
    rhythm,
    fulfilled,
    site: url === null ? null : { url, host: displayAddress(new URL(url).origin), registered: await purchases.covers(user.id, url) },
    report: report ? { path: `/run/${report.id}`, page: displayAddress(report.url) } : null,
    scan: scan ? { path: `/run/${scan.id}`, state: scanState(scan) } : null,
    accessLost: fulfilled && !scan && scanId === null && url !== null && (await schedules.accessOf(user.id, { url, scope: "site" })) === undefined,
    lostCheck: checkId !== null && !report,
    toConfirm: !user.emailVerified,
  };
}

/** Latest scan of a website since the order, started by the buyer with new credentials because the stored ones were lost. */
async function siteScanSince(runLists: Pick<RunLists, "list">, owner: string, { url, since }: { url: string; since: number }): Promise<Run | undefined> {
  const [latest] = (await runLists.list(owner, { origin: new URL(url).origin, scope: "site", limit: 1 })).runs;
  return latest && latest.createdAt >= since ? latest : undefined;
}

function scanState(scan: Run): "text" | "over" | "failed" {
  if (!isOver(scan)) return "text";
  return scan.stats.pages > scan.stats.failedPages ? "over" : "failed";
}

export const action = methodNotAllowed;

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function OrderDone() {
  const { result, order, bought, setup, payAt, email, keepsMails } = useLoaderData<typeof loader>();
  const { t } = useTranslation("billing");
  const languagePath = useLanguagePath();
  const isMailed = result === "link" || result === "invoice";
  return (
    <article className="form-page wrap">
      <h1>{t(`done.${result}.heading`)}</h1>
      {bought ? <OrderResult {...bought} again={statusPath(order)} /> : <p className="lead">{t(`done.${result}.text`, { email })}</p>}
      <OutboxNotice shown={isMailed && keepsMails} />
      {result === "failed" && (
        <p>
          {t("purchases.trouble")} <Link to={`${languagePath("/contact")}?topic=billing`}>{t("purchases.write")}</Link>
        </p>
      )}
      <p className="button-row">
        {bought && (
          <Link className="button button-quiet" to="/runs">
            {t("done.toRuns")}
          </Link>
        )}
        {payAt && (
          <a className={isMailed ? "button button-quiet" : "button"} href={payAt}>
            {t(result === "invoice" ? "done.toInvoice" : "done.toCheckout")}
          </a>
        )}
        {(result === "pending" || result === "unknown") && (
          <a className="button" href={statusPath(order)}>
            {t("done.again")}
          </a>
        )}{" "}
        {!bought && (
          <Link className="button button-quiet" to={setup}>
            {t("done.toSetup")}
          </Link>
        )}
      </p>
    </article>
  );
}

const statusPath = (order: string) => `/setup/done?order=${encodeURIComponent(order)}`;
