import { data, redirect, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { answerHeaders } from "~/platform/http/answer-headers";
import { NewRun } from "~/runs/view/new-run";
import { requireEntitled } from "~/billing/guard.server";
import { isAddressProblem } from "~/runs/check-form.server";
import { parseSentForm } from "~/platform/forms/form-answer.server";
import { localeOf, textsOf } from "~/platform/i18n/i18n.server";
import { pageMeta } from "~/platform/http/page-meta";
import { titledMeta } from "~/platform/forms/page-texts.server";
import { readForm, textField } from "~/platform/forms/read-form";
import { runFormSchema, typedForm } from "~/runs/form.server";
import { preloadNamespaces } from "~/platform/i18n/preload-namespaces";
import { coveredWebsites } from "~/billing/websites/url-usage";
import { mostWaitMs } from "~/runs/wait-options";

export const handle = { i18n: ["runs"] };
export const clientLoader = preloadNamespaces(["runs"]);

const NO_SPACE_RETRY_MS = 600_000;
const PATH = "/runs/new";
const MAX_URL = 2_048;

export async function loader(args: LoaderFunctionArgs) {
  const user = await requireEntitled(args);
  const { services, visitor } = args.context;
  const t = textsOf(await localeOf(args.request)).getFixedT(null, "runs");
  const kept = await visitor.takeKept(PATH);
  const query = new URL(args.request.url).searchParams;
  const again = await services.runs.ofOwner(query.get("again") ?? "", user.id);
  const mail = (await services.finishedMails.wishFor(user.id, again?.id)) ? { mail: "yes" } : {};
  const values = again ? { ...typedForm(again), ...mail } : { ...mail, url: (query.get("url") ?? "").slice(0, MAX_URL) };
  return data({
    meta: await titledMeta(args, { title: t("new.title"), description: t("new.description") }),
    kept: kept !== null,
    values: kept ?? values,
    entitlement: await services.scanRequests.entitlementOf(user.id),
    websites: coveredWebsites(await services.purchases.of(user.id)),
    maxPages: (await services.scanRequests.limitsOf(user.id)).pages,
    mostWaitMs: mostWaitMs(services.env.SCAN_PAGE_SECONDS),
  });
}

export async function action(args: ActionFunctionArgs) {
  const user = await requireEntitled(args);
  const { request, context } = args;
  const { scanRequests, refusesAddress, env, billing, finishedMails } = context.services;
  const locale = await localeOf(request);
  const limits = await scanRequests.limitsOf(user.id);
  const describe = (problem: string) =>
    isAddressProblem(problem)
      ? textsOf(locale).getFixedT(null, "home")(`address.${problem}`)
      : textsOf(locale).getFixedT(null, "runs")(`problem.${problem as "full"}`, {
          max: limits.pages,
          mostWait: mostWaitMs(env.SCAN_PAGE_SECONDS),
          mostWaiting: limits.waiting,
        });
  const schema = runFormSchema(refusesAddress, limits.pages, mostWaitMs(env.SCAN_PAGE_SECONDS));
  const form = await readForm(request);
  const sent = await parseSentForm(request, context, form, schema, describe);
  if (!sent.value) return sent.refuse();

  const underWay = (running: string) => {
    const refused = sent.refuse({ url: "under_way" });
    return { ...refused, data: { ...refused.data, values: { ...refused.data.values, running } } };
  };
  const isWanted = textField(form, "anyway") === "yes";

  const { maxPages = null, leftOut: excludedPaths = [], mailWhenDone, ...scan } = sent.value;
  // Mails are declined only if the box was checked before.
  const isDeclined = mailWhenDone === false && (await finishedMails.wishFor(user.id)) === true;
  const wanted = { ...scan, mailWhenDone: mailWhenDone || (isDeclined ? false : undefined), maxPages, excludedPaths };
  const submitted = isWanted ? await scanRequests.submit(user.id, wanted) : await scanRequests.submitOnce(user.id, wanted);
  if (submitted.kind === "under_way") return underWay(submitted.id);
  if (submitted.kind === "refused") {
    if (submitted.why === "no_space") return sent.postpone("no_space", Date.now() + NO_SPACE_RETRY_MS);
    const field = { level: "level", site_is_paid: "scope" }[submitted.why as string] ?? "url";
    return sent.refuse({ [field]: submitted.why });
  }
  if (submitted.registered) {
    await context.visitor.flash({ text: "urlAdded", kind: "done" });
    billing?.writeUrlsSoon();
  }
  return redirect(`/run/${submitted.run.id}`, 303);
}

export const headers = answerHeaders;

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function NewRunPage() {
  return <NewRun {...useLoaderData<typeof loader>()} answer={useActionData<typeof action>()} />;
}
