import { data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { refuseForms, requireAdministrator } from "~/administration/guard.server";
import { administrationMeta } from "~/administration/page-meta.server";
import { AdministrationPage } from "~/administration/view/administration-page";
import { PeopleTable } from "~/administration/view/people-table";
import { pageMeta } from "~/platform/http/page-meta";
import { searchTextOf } from "~/platform/http/search-text";
import { pageCountOf, pageNumberOf } from "~/platform/http/pagination.server";
import { preloadNamespaces } from "~/platform/i18n/preload-namespaces";
import { PaginationLinks } from "~/reports/view/pagination-links";
import { ListFilter } from "~/ui/form/list-filter";

export const handle = { i18n: ["admin", "report"] };
export const clientLoader = preloadNamespaces(["admin", "report"]);

const PATH = "/admin/people";
const PER_PAGE = 25;

export async function loader(args: LoaderFunctionArgs) {
  await requireAdministrator(args);
  const text = searchTextOf(args.request);
  const pageNumber = pageNumberOf(args.request);
  const { people, total } = await args.context.services.people.list({ text, offset: (pageNumber - 1) * PER_PAGE, limit: PER_PAGE });
  return data({ meta: await administrationMeta(args, "people"), people, total, text, pageNumber, pageCount: pageCountOf(args.request, total, PER_PAGE) });
}

export const action = refuseForms;

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function People() {
  const { people, total, text, pageNumber, pageCount } = useLoaderData<typeof loader>();
  const { t } = useTranslation("admin");
  return (
    <AdministrationPage heading={t("people.heading")}>
      <ListFilter
        path={PATH}
        labels={{ filter: t("people.filter"), text: t("people.text"), apply: t("people.find"), reset: t("people.all") }}
        text={text}
        isUsed={text !== ""}
      />
      <p>{total === 0 ? t("people.none") : t("people.count", { count: total })}</p>
      {total > 0 && <PeopleTable people={people} />}
      <PaginationLinks pageNumber={pageNumber} pageCount={pageCount} to={(wanted) => `${PATH}?${new URLSearchParams({ ...(text && { q: text }), part: String(wanted) })}`} />
    </AdministrationPage>
  );
}
