import { data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { refuseForms, requireAdministrator } from "~/administration/guard.server";
import { administrationMeta } from "~/administration/page-meta.server";
import { AdministrationPage } from "~/administration/view/administration-page";
import { MessageList } from "~/administration/view/message-list";
import { pageMeta } from "~/platform/http/page-meta";
import { pageCountOf, pageNumberOf } from "~/platform/http/pagination.server";
import { preloadNamespaces } from "~/platform/i18n/preload-namespaces";
import { PaginationLinks } from "~/reports/view/pagination-links";

export const handle = { i18n: ["admin", "report"] };
export const clientLoader = preloadNamespaces(["admin", "report"]);

const PER_PAGE = 10;

export async function loader(args: LoaderFunctionArgs) {
  await requireAdministrator(args);
  const { messageOverview, messages: inbox } = args.context.services;
  const pageNumber = pageNumberOf(args.request);
  const { messages, total } = await messageOverview.list({ offset: (pageNumber - 1) * PER_PAGE, limit: PER_PAGE });
  const pageCount = pageCountOf(args.request, total, PER_PAGE);
  return data({ meta: await administrationMeta(args, "messages"), messages, total, keptDays: inbox.keptDays, pageNumber, pageCount });
}

export const action = refuseForms;

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function Messages() {
  const { messages, total, keptDays, pageNumber, pageCount } = useLoaderData<typeof loader>();
  const { t } = useTranslation("admin");
  return (
    <AdministrationPage heading={t("messages.heading")}>
      <p>{t("messages.kept", { days: keptDays })}</p>
      <p>{total === 0 ? t("messages.none") : t("messages.count", { count: total })}</p>
      <MessageList messages={messages} />
      <PaginationLinks pageNumber={pageNumber} pageCount={pageCount} to={(wanted) => `/admin/messages?part=${wanted}`} />
    </AdministrationPage>
  );
}
