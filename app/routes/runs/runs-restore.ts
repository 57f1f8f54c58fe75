import { redirect, type ActionFunctionArgs } from "@remix-run/node";
import { requireBuyer } from "~/billing/guard.server";
import { readForm, textField } from "~/platform/forms/read-form";
import { UNDO_MINUTES } from "~/runs/list.server";

export const loader = () => redirect("/runs", 303);

/** Restores the last deleted runs. */
export async function action(args: ActionFunctionArgs) {
  const user = await requireBuyer(args);
  const { services, visitor } = args.context;
  const at = Number(textField(await readForm(args.request), "at"));
  const restored = Number.isSafeInteger(at) ? await services.runLists.restore(user.id, at) : 0;
  // A second click, while nothing is deleted for good: they are back already.
  const isBack = restored > 0 || (Number.isSafeInteger(at) && Math.abs(Date.now() - at) < UNDO_MINUTES * 60_000);
  await visitor.flash(isBack ? { text: "runsRestored", kind: "done" } : { text: "runsGone", kind: "problem" });
  return redirect("/runs", 303);
}
