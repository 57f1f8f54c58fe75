import { data, redirect, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { DeleteRuns } from "~/runs/view/delete-runs";
import { requireResultAccess } from "~/billing/guard.server";
import { localeOf, textsOf } from "~/platform/i18n/i18n.server";
import { pageMeta } from "~/platform/http/page-meta";
import { titledMeta } from "~/platform/forms/page-texts.server";
import { safeReturnTo } from "~/platform/http/return-to";
import { readForm } from "~/platform/forms/read-form";
import { runRows } from "~/reports/run-rows.server";
import { preloadNamespaces } from "~/platform/i18n/preload-namespaces";
import { UNDO_MINUTES } from "~/runs/list.server";

export const handle = { i18n: ["runs"] };
export const clientLoader = preloadNamespaces(["runs"]);

/** Maximum number of runs; more than one page of the list. */
const MOST_AT_ONCE = 200;

export async function loader(args: LoaderFunctionArgs) {
  const user = await requireResultAccess(args);
  const ids = new URL(args.request.url).searchParams.getAll("run").slice(0, MOST_AT_ONCE);
  const runs = await args.context.services.runLists.byIds(user.id, ids);
  if (ids.length > 0 && runs.length === 0) throw data(null, { status: 404 });
  const t = textsOf(await localeOf(args.request)).getFixedT(null, "runs");
  return data({
    meta: await titledMeta(args, { title: t("delete.title"), description: t("delete.description") }),
    runs: await runRows(runs, args.context.services.pages),
    undoMinutes: UNDO_MINUTES,
    list: listOf(args.request),
    kept: (await args.context.visitor.takeKept("/runs/delete")) !== null,
  });
}

export async function action(args: ActionFunctionArgs) {
  const user = await requireResultAccess(args);
  const form = await readForm(args.request);
  const { runLists } = args.context.services;
  const ids = form.getAll("run").filter((id) => typeof id === "string").slice(0, MOST_AT_ONCE);
  const removed = await runLists.remove(user.id, ids);
  if (removed === 0 && !(await runLists.isRemoved(user.id, ids))) throw data(null, { status: 404 });
  return redirect(listOf(args.request), 303);
}

/** Path of the list from which the runs are deleted. Only there can they be restored. */
function listOf({ url }: Request): string {
  const target = safeReturnTo(new URL(url).searchParams.get("returnTo"));
  return /^\/runs(\?|$)/.test(target) ? target : "/runs";
}

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function DeleteRunsPage() {
  return <DeleteRuns {...useLoaderData<typeof loader>()} />;
}
