import { redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { requireUser } from "~/accounts/guard.server";
import { choiceOfQuery, choicePath, readChoice, runId } from "~/billing/plans/choice";
import { readForm, textField } from "~/platform/forms/read-form";
import { parseStartAddress } from "~/platform/web/start-address";

/** Redirects to the form, after a user had to sign in again. */
export function loader({ request }: LoaderFunctionArgs) {
  return redirect(choicePath("/setup", choiceOfQuery(new URL(request.url).searchParams)), 303);
}

/** Registers a website with an existing purchase: unlocks its report and scans it. Without room in a purchase, redirects to the plans. */
export async function action(args: ActionFunctionArgs) {
  const user = await requireUser(args);
  const { services, visitor } = args.context;
  const form = await readForm(args.request);
  const choice = readChoice((name) => textField(form, name));
  const address = parseStartAddress(choice.url, services.refusesAddress);
  const checkId = runId(choice.check);
  const fulfilled = address.ok && (await services.fulfilments.fulfil(user.id, { url: address.url, checkId, since: 0 }));
  if (!fulfilled) return redirect(choicePath("/setup", choice), 303);
  services.billing?.writeUrlsSoon();
  const report = checkId && (await services.runs.ofOwner(checkId, user.id));
  if (fulfilled.why === "access_lost") {
    await visitor.flash({ text: report ? "reportWithoutScan" : "scanNeedsAccess", kind: "problem" });
    return redirect(`/runs/new?url=${encodeURIComponent(address.url)}`, 303);
  }
  if (report) await visitor.flash({ text: "reportUnlocked", kind: "done" });
  const shown = report ? report.id : fulfilled.scanId;
  return redirect(shown ? `/run/${shown}` : "/runs", 303);
}
