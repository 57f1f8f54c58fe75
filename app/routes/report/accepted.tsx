import { data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { AcceptancesPage } from "~/reports/acceptance/acceptances-page";
import { openAcceptances } from "~/reports/acceptance/open-list.server";
import { loadedHeaders } from "~/platform/http/answer-headers";
import { pageMeta } from "~/platform/http/page-meta";
import { methodNotAllowed } from "~/platform/http/method-not-allowed";
import { openReport } from "~/reports/open-report.server";
import { preloadNamespaces } from "~/platform/i18n/preload-namespaces";

export const handle = { i18n: ["acceptance", "report", "check"] };
export const clientLoader = preloadNamespaces(["acceptance", "report", "check"]);

/** Accepted violations, for readers of a shared link; the owner's page is `run-accepted.tsx`. */
export async function loader(args: LoaderFunctionArgs) {
  const report = await openReport(args);
  return data(await openAcceptances(args, report), { headers: report.headers });
}

export const headers = loadedHeaders;

export const action = methodNotAllowed;

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function Accepted() {
  return <AcceptancesPage {...useLoaderData<typeof loader>()} />;
}
