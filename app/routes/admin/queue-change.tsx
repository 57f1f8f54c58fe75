import { data, redirect, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { requireAdministrator } from "~/administration/guard.server";
import { administrationMeta } from "~/administration/page-meta.server";
import { isRunChange } from "~/administration/run-states";
import { readForm, textField } from "~/platform/forms/read-form";
import { pageMeta } from "~/platform/http/page-meta";
import { preloadNamespaces } from "~/platform/i18n/preload-namespaces";
import { FormPage } from "~/ui/form/form-page";
import { KeptNotice } from "~/ui/form/kept-notice";

export const handle = { i18n: ["admin"] };
export const clientLoader = preloadNamespaces(["admin"]);

const PATH = "/admin/queue/change";

/** Maximum number of scans; more than one page of the list. */
const MOST_AT_ONCE = 200;

/** Confirmation page for canceling or deleting scans. */
export async function loader(args: LoaderFunctionArgs) {
  await requireAdministrator(args);
  const query = new URL(args.request.url).searchParams;
  const what = query.get("what") ?? "cancel";
  const ids = query.getAll("run").slice(0, MOST_AT_ONCE);
  const rows = await args.context.services.queueOverview.byIds(ids);
  if (!isRunChange(what) || (ids.length > 0 && rows.length === 0)) throw data(null, { status: 404 });
  const isOpen = ({ status }: { status: string }) => status === "queued" || status === "running";
  return data({
    meta: await administrationMeta(args, what === "cancel" ? "queueChange.cancel" : "queueChange.delete"),
    what,
    kept: (await args.context.visitor.takeKept(PATH)) !== null,
    rows: rows.filter((row) => what === "delete" || isOpen(row)),
  });
}

export async function action(args: ActionFunctionArgs) {
  const administrator = await requireAdministrator(args);
  const { services, visitor } = args.context;
  const form = await readForm(args.request);
  const what = textField(form, "what");
  if (!isRunChange(what)) throw data(null, { status: 404 });
  const ids = form.getAll("run").filter((id) => typeof id === "string");
  const count = await services.queueOverview.change(administrator, what, ids.slice(0, MOST_AT_ONCE));
  await visitor.flash(count > 0 ? { text: what === "cancel" ? "scansCanceled" : "scansDeleted", kind: "done", values: { count } } : { text: "nothingToDo", kind: "problem" });
  return redirect("/admin/queue", 303);
}

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function QueueChange() {
  const { what, rows, kept } = useLoaderData<typeof loader>();
  const { t } = useTranslation("admin");
  const back = <Link to="/admin/queue">{t("queueChange.back")}</Link>;
  if (rows.length === 0) {
    return (
      <article className="form-page wrap">
        <h1>{t("queueChange.nothing")}</h1>
        <p className="lead">{t(`queueChange.${what}.nothingHint`)}</p>
        <p>{back}</p>
      </article>
    );
  }
  return (
    <FormPage
      heading={t(`queueChange.${what}.heading`, { count: rows.length })}
      lead={
        <>
          {kept && <KeptNotice isButton />}
          <p>{t(`queueChange.${what}.lead`)}</p>
        </>
      }
      action={`${PATH}?${new URLSearchParams([["what", what], ...rows.map(({ id }) => ["run", id])])}`}
      submit={t(`queueChange.${what}.submit`, { count: rows.length })}
      danger
      after={back}
    >
      <input type="hidden" name="what" value={what} />
      <ul>
        {rows.map(({ id, url, person }) => (
          <li key={id}>
            <input type="hidden" name="run" value={id} />
            <span className="address">{url}</span>
            <div className="hint address">{person?.email ?? t("queue.visitor")}</div>
          </li>
        ))}
      </ul>
    </FormPage>
  );
}
