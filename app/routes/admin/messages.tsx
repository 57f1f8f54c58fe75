import { data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { refuseForms, requireAdministrator } from "~/administration/guard.server";
import { administrationMeta } from "~/administration/page-meta.server";
import { AdministrationPage } from "~/administration/view/administration-page";
import { MessageList } from "~/administration/view/message-list";
import { pageMeta } from "~/platform/http/page-meta";
import { pageOf, paginationOf } from "~/platform/http/pagination.server";
import { preloadNamespaces } from "~/platform/i18n/preload-namespaces";
import { PaginationLinks } from "~/reports/view/pagination-links";

export const handle = { i18n: ["admin", "report"] };
export const clientLoader = preloadNamespaces(["admin", "report"]);

const PER_PAGE = 10;

export async function loader(args: LoaderFunctionArgs) {
  await requireAdministrator(args);
  const { messageOverview, messages: inbox } = args.context.services;
  const part = pageOf(args.request);
  const { messages, total } = await messageOverview.list({ offset: (part - 1) * PER_PAGE, limit: PER_PAGE });
  const parts = paginationOf(args.request, total, PER_PAGE);
  return data({ meta: await administrationMeta(args, "messages"), messages, total, keptDays: inbox.keptDays, part, parts });
}

export const action = refuseForms;

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function Messages() {
  const { messages, total, keptDays, part, parts } = useLoaderData<typeof loader>();
  const { t } = useTranslation("admin");
  return (
    <AdministrationPage heading={t("messages.heading")}>
      <p>{t("messages.kept", { days: keptDays })}</p>
      <p>{total === 0 ? t("messages.none") : t("messages.count", { count: total })}</p>
      <MessageList messages={messages} />
      <PaginationLinks part={part} parts={parts} to={(wanted) => `/admin/messages?part=${wanted}`} />
    </AdministrationPage>
  );
}
