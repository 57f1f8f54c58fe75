import { data, redirect, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { RemoveWebsite } from "~/billing/view/remove-website";
import { requireEntitled } from "~/billing/guard.server";
import { answerHeaders } from "~/platform/http/answer-headers";
import { parseSentForm } from "~/platform/forms/form-answer.server";
import { localeOf, textsOf } from "~/platform/i18n/i18n.server";
import { pageMeta } from "~/platform/http/page-meta";
import { titledMeta } from "~/platform/forms/page-texts.server";
import { readForm } from "~/platform/forms/read-form";
import { preloadNamespaces } from "~/platform/i18n/preload-namespaces";
import { readRowNumber } from "~/platform/http/row-number";

export const handle = { i18n: ["billing"] };
export const clientLoader = preloadNamespaces(["billing"]);

/** Confirmation page for removing the website in `website`. */
export async function loader(args: LoaderFunctionArgs) {
  const user = await requireEntitled(args);
  const { purchases, scanRequests, scheduleLists } = args.context.services;
  const id = websiteIn(args.request);
  if (id === null) throw redirect("/profile/urls");
  const removal = await purchases.removalOf(user.id, id);
  if (!removal) throw data(null, { status: 404 });
  const { origin } = removal;
  const repeated = (await scheduleLists.list(user.id, { origin })).filter(({ paused }) => paused === null);
  const t = textsOf(await localeOf(args.request)).getFixedT(null, "billing");
  return data({
    meta: await titledMeta(args, { title: t("removal.title"), description: t("removal.description") }),
    id,
    ...removal,
    after: await scanRequests.afterRemoval(user.id, { id, origin }),
    repeated: repeated.length,
    kept: (await args.context.visitor.takeKept("/profile/urls/remove")) !== null,
  });
}

export async function action(args: ActionFunctionArgs) {
  const user = await requireEntitled(args);
  const { request, context } = args;
  const { purchases, billing } = context.services;
  const sent = await parseSentForm(request, context, await readForm(request), z.object({}));
  const outcome = await purchases.remove(user.id, websiteIn(request) ?? 0);
  // Double click, or old tab.
  if (outcome === "unknown") return redirect("/profile/urls", 303);
  if (outcome !== "removed") {
    const t = textsOf(await localeOf(request)).getFixedT(null, "billing");
    return sent.refuseForNow({ heading: t("urls.problemHeading"), text: t(`urls.${outcome}`) }, { status: 422 });
  }
  await context.visitor.flash({ text: "urlRemoved", kind: "done" });
  billing?.writeUrlsSoon();
  return redirect("/profile/urls", 303);
}

export const headers = answerHeaders;

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function RemoveWebsitePage() {
  return <RemoveWebsite {...useLoaderData<typeof loader>()} answer={useActionData<typeof action>()} />;
}

/** Id of the registered website; null if the address has none. */
function websiteIn(request: Request): number | null {
  const id = new URL(request.url).searchParams.get("website");
  return id === null ? null : readRowNumber(id);
}
