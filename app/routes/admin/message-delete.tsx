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

const PATH = "/admin/messages";

/** Confirmation page for deleting a message. */
export async function loader(args: LoaderFunctionArgs) {
  await requireAdministrator(args);
  const message = await args.context.services.messageOverview.find(new URL(args.request.url).searchParams.get("message") ?? "");
  if (!message) throw data(null, { status: 404 });
  const { id, email, subject, locale } = message;
  const kept = (await args.context.visitor.takeKept(`${PATH}/delete`)) !== null;
  return data({ meta: await administrationMeta(args, "messageDelete"), id, email, subject, locale, kept });
}

export async function action(args: ActionFunctionArgs) {
  const administrator = await requireAdministrator(args);
  const { services, visitor } = args.context;
  const isDone = await services.messageOverview.remove(administrator, textField(await readForm(args.request), "message"));
  await visitor.flash(isDone ? { text: "messageDeleted", kind: "done" } : { text: "nothingToDo", kind: "problem" });
  return redirect(PATH, 303);
}

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function DeleteMessage() {
  const { id, email, subject, locale, kept } = useLoaderData<typeof loader>();
  const { t } = useTranslation("admin");
  return (
    <FormPage
      heading={t("messageDelete.heading")}
      lead={
        <>
          {kept && <KeptNotice isButton />}
          <p>{t("messageDelete.lead")}</p>
        </>
      }
      action={`${PATH}/delete?message=${id}`}
      submit={t("messageDelete.submit")}
      danger
      after={<Link to={PATH}>{t("messageDelete.back")}</Link>}
    >
      <input type="hidden" name="message" value={id} />
      <p className="address">
        <span lang={locale} dir="auto">
          {subject}
        </span>
        <span className="hint"> ({email})</span>
      </p>
    </FormPage>
  );
}
