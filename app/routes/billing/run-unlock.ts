import { redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { choicePath } from "~/billing/plans/choice";
import { ownRun } from "~/reports/own-report.server";

export const loader = ({ params }: LoaderFunctionArgs) => redirect(`/run/${encodeURIComponent(params.id ?? "")}`, 303);

/** Unlocks a report by registering its URL; if no purchase has room for the URL, redirects to the plans. */
export async function action(args: ActionFunctionArgs) {
  const { run, userId } = await ownRun(args);
  const { services, visitor } = args.context;
  if (!(await services.scanRequests.unlock(userId, run))) {
    return redirect(choicePath("/setup", { url: run.url, check: run.id }), 303);
  }
  services.billing?.writeUrlsSoon();
  await visitor.flash({ text: "reportUnlocked", kind: "done" });
  return redirect(`/run/${run.id}`, 303);
}
