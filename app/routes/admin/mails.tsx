import { data, redirect, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { requireAdministrator } from "~/administration/guard.server";
import { administrationMeta } from "~/administration/page-meta.server";
import { AdministrationPage } from "~/administration/view/administration-page";
import { MailTable } from "~/administration/view/mail-table";
import { readForm, textField } from "~/platform/forms/read-form";
import { pageMeta } from "~/platform/http/page-meta";
import { pageCountOf, pageNumberOf } from "~/platform/http/pagination.server";
import { preloadNamespaces } from "~/platform/i18n/preload-namespaces";
import { PaginationLinks } from "~/reports/view/pagination-links";
import { KeptNotice } from "~/ui/form/kept-notice";
import { Icon } from "~/ui/icon";

export const handle = { i18n: ["admin", "report"] };
export const clientLoader = preloadNamespaces(["admin", "report"]);

const PATH = "/admin/mails";
const PER_PAGE = 25;

export async function loader(args: LoaderFunctionArgs) {
  await requireAdministrator(args);
  const { mailOverview, keepsMails } = args.context.services;
  const pageNumber = pageNumberOf(args.request);
  const { mails, total } = await mailOverview.list({ offset: (pageNumber - 1) * PER_PAGE, limit: PER_PAGE });
  const kept = (await args.context.visitor.takeKept(PATH)) !== null;
  return data({ meta: await administrationMeta(args, "mails"), mails, total, keepsMails, kept, pageNumber, pageCount: pageCountOf(args.request, total, PER_PAGE) });
}

/** Sends a mail again. */
export async function action(args: ActionFunctionArgs) {
  const administrator = await requireAdministrator(args);
  const { services, visitor } = args.context;
  const isDue = await services.mailOverview.sendNow(administrator, textField(await readForm(args.request), "mail"));
  await visitor.flash(isDue ? { text: "mailDue", kind: "done" } : { text: "nothingToDo", kind: "problem" });
  return redirect(PATH, 303);
}

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function Mails() {
  const { mails, total, keepsMails, kept, pageNumber, pageCount } = useLoaderData<typeof loader>();
  const { t } = useTranslation("admin");
  return (
    <AdministrationPage heading={t("mails.heading")}>
      {kept && <KeptNotice isButton />}
      <p className="prose-line">{t("mails.lead")}</p>
      {keepsMails && (
        <p className="notice">
          <Icon name="alert" />
          <span>{t("mails.filed")}</span>
        </p>
      )}
      <p>{total === 0 ? t("mails.none") : t("mails.count", { count: total })}</p>
      {total > 0 && <MailTable mails={mails} />}
      <PaginationLinks pageNumber={pageNumber} pageCount={pageCount} to={(wanted) => `${PATH}?part=${wanted}`} />
    </AdministrationPage>
  );
}
