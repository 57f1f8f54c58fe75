import { data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { LawPage } from "~/site/law/law-page";
import { localeOf, textsOf } from "~/platform/i18n/i18n.server";
import { lawPageOf } from "~/site/law/law-pages";
import { pageMeta } from "~/platform/http/page-meta";
import { methodNotAllowed } from "~/platform/http/method-not-allowed";
import { preloadNamespaces } from "~/platform/i18n/preload-namespaces";

export const handle = { i18n: ["law"] };
export const clientLoader = preloadNamespaces(["law"]);

export async function loader({ request }: LoaderFunctionArgs) {
  const t = textsOf(await localeOf(request)).getFixedT(null, ["law", "common"]);
  const page = lawPageOf(new URL(request.url).pathname);
  return data({
    page,
    now: Date.now(),
    meta: { title: t("common:title", { page: t(`law:${page}.title`) }), description: t(`law:${page}.description`) },
  });
}

export const action = methodNotAllowed;

export const meta: MetaFunction<typeof loader> = ({ data: law }) => pageMeta(law?.meta);

export default function LawPageRoute() {
  const { page, now } = useLoaderData<typeof loader>();
  return <LawPage page={page} now={now} />;
}
