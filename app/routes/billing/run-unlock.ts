import { redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { choicePath } from "~/billing/plans/choice";
import { ownRun } from "~/reports/own-report.server";

export const loader = ({ params }: LoaderFunctionArgs) => redirect(`/run/${encodeURIComponent(params.id ?? "")}`, 303);

/** Opens a locked report by registering its URL; where nothing has room for that, the way leads to the plans. */
export async function action(args: ActionFunctionArgs) {
  const { run, userId } = await ownRun(args);
  const { services, visitor, log } = args.context;
  if (!(await services.orders.unlock(userId, run))) {
    return redirect(choicePath("/setup", { url: run.url, check: run.id }), 303);
  }
  // The provider is told in the background, and again until it knows.
  services.billing?.writeUrls().catch((error: unknown) => log.error({ err: error }, "URLs were not written"));
  await visitor.flash({ text: "reportUnlocked", kind: "done" });
  return redirect(`/run/${run.id}`, 303);
}
