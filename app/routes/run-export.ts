import { data, redirect, type LoaderFunctionArgs } from "@remix-run/node";
import { answerExport } from "~/export-answer.server";
import { exportFormatOf } from "~/lib/export-formats.server";
import { ownRun } from "~/report-page.server";
import { isOver } from "~/models/run.server";

/** A run that is over and unlocked as a file, in the format that the address ends with. */
export async function loader(args: LoaderFunctionArgs) {
  const { services, drained } = args.context;
  const { run, userId, locale } = await ownRun(args);
  const format = exportFormatOf(new URL(args.request.url).pathname);
  if (!format) throw data(null, { status: 404 });
  if (!isOver(run) || !(await services.orders.isUnlocked(userId, run))) throw redirect(`/run/${run.id}`, 303);
  const answer = await answerExport(services, run, { format, locale, signal: args.request.signal, drained });
  if (answer) return answer;
  await args.context.visitor.flash({ text: "printerBusy", kind: "problem" });
  return redirect(`/run/${run.id}`, 303);
}
