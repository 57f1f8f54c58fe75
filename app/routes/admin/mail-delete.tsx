import { data, redirect, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { requireAdministrator } from "~/administration/guard.server";
import { administrationMeta } from "~/administration/page-meta.server";
import { readForm, textField } from "~/platform/forms/read-form";
import { pageMeta } from "~/platform/http/page-meta";
import { preloadNamespaces } from "~/platform/i18n/preload-namespaces";
import { FormPage } from "~/ui/form/form-page";
import { KeptNotice } from "~/ui/form/kept-notice";

export const handle = { i18n: ["admin"] };
export const clientLoader = preloadNamespaces(["admin"]);

const PATH = "/admin/mails";

/** Confirmation page for deleting a mail. */
export async function loader(args: LoaderFunctionArgs) {
  await requireAdministrator(args);
  const mail = await args.context.services.mailOverview.find(new URL(args.request.url).searchParams.get("mail") ?? "");
  if (!mail) throw data(null, { status: 404 });
  const kept = (await args.context.visitor.takeKept(`${PATH}/delete`)) !== null;
  return data({ meta: await administrationMeta(args, "mailDelete"), id: mail.id, to: mail.to, subject: mail.subject, kept });
}

export async function action(args: ActionFunctionArgs) {
  const administrator = await requireAdministrator(args);
  const { services, visitor } = args.context;
  const isDone = await services.mailOverview.remove(administrator, textField(await readForm(args.request), "mail"));
  await visitor.flash(isDone ? { text: "mailDeleted", kind: "done" } : { text: "nothingToDo", kind: "problem" });
  return redirect(PATH, 303);
}

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function DeleteMail() {
  const { id, to, subject, kept } = useLoaderData<typeof loader>();
  const { t } = useTranslation("admin");
  return (
    <FormPage
      heading={t("mailDelete.heading")}
      lead={
        <>
          {kept && <KeptNotice isButton />}
          <p>{t("mailDelete.lead")}</p>
        </>
      }
      action={`${PATH}/delete?mail=${id}`}
      submit={t("mailDelete.submit")}
      danger
      after={<Link to={PATH}>{t("mailDelete.back")}</Link>}
    >
      <input type="hidden" name="mail" value={id} />
      <p className="address">
        {to ?? t("mails.unreadable")}
        {subject !== null && (
          <span className="hint" dir="auto">
            {" "}
            {subject}
          </span>
        )}
      </p>
    </FormPage>
  );
}
