import { redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { readForm, textField } from "~/platform/forms/read-form";
import { reloadPath, isReloadOn } from "~/platform/http/reload";
import { ownRun } from "~/reports/own-report.server";

export const loader = ({ params, request }: LoaderFunctionArgs) => redirect(reloadPath(`/run/${encodeURIComponent(params.id ?? "")}`, isReloadOn(request)), 303);

/** Turns the mail at the end of the run on or off. */
export async function action(args: ActionFunctionArgs) {
  const { run, userId } = await ownRun(args);
  await args.context.services.finishedMails.want(userId, run.id, textField(await readForm(args.request), "mail") === "yes");
  return redirect(reloadPath(`/run/${run.id}`, isReloadOn(args.request)), 303);
}
