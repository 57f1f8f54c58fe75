import { data, redirect, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { AcceptancesPage } from "~/reports/acceptance/acceptances-page";
import { openAcceptances } from "~/reports/acceptance/open-list.server";
import { pageMeta } from "~/platform/http/page-meta";
import { pageNumberOf } from "~/platform/http/pagination.server";
import { readForm, textField } from "~/platform/forms/read-form";
import { ownReport } from "~/reports/own-report.server";
import { preloadNamespaces } from "~/platform/i18n/preload-namespaces";

export const handle = { i18n: ["acceptance", "report", "check"] };
export const clientLoader = preloadNamespaces(["acceptance", "report", "check"]);

export async function loader(args: LoaderFunctionArgs) {
  return data(await openAcceptances(args, await ownReport(args)));
}

/** Ends an acceptance. */
export async function action(args: ActionFunctionArgs) {
  const { userId, base } = await ownReport(args);
  const { services, visitor } = args.context;
  const id = textField(await readForm(args.request), "end");
  if (await services.acceptances.end(userId, id)) await visitor.flash({ text: "acceptanceEnded", kind: "done" });
  const pageNumber = pageNumberOf(args.request);
  return redirect(pageNumber > 1 ? `${base}/accepted?part=${pageNumber}` : `${base}/accepted`, 303);
}

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function RunAccepted() {
  return <AcceptancesPage {...useLoaderData<typeof loader>()} />;
}
