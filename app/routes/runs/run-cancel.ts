import { redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { ownRun } from "~/reports/own-report.server";

export const loader = ({ params }: LoaderFunctionArgs) => redirect(`/run/${encodeURIComponent(params.id ?? "")}`, 303);

/** Cancels a run; its results stay. */
export async function action(args: ActionFunctionArgs) {
  const { run, userId } = await ownRun(args);
  const { services, visitor } = args.context;
  if (await services.runs.cancel(run.id, userId)) {
    services.events.notify(run.id);
    await visitor.flash({ text: "runCanceled", kind: "done" });
  }
  return redirect(`/run/${run.id}`, 303);
}
