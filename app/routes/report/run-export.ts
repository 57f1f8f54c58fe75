import { data, redirect, type LoaderFunctionArgs } from "@remix-run/node";
import { answerExport } from "~/reports/exports/answer.server";
import { exportFormatOf } from "~/reports/exports/formats";
import { methodNotAllowed } from "~/platform/http/method-not-allowed";
import { readableOwnRun } from "~/reports/own-report.server";

/** A finished, unlocked run as a file; the address ends with the format. */
export async function loader(args: LoaderFunctionArgs) {
  const { services, drained, visitor } = args.context;
  const { run, locale, base } = await readableOwnRun(args);
  const format = exportFormatOf(new URL(args.request.url).pathname);
  if (!format) throw data(null, { status: 404 });
  const answer = await answerExport(services, run, { format, locale, signal: args.request.signal, drained });
  if (answer) return answer;
  await visitor.flash({ text: "printerBusy", kind: "problem" });
  return redirect(base, 303);
}

export const action = methodNotAllowed;
