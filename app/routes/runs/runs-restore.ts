import { redirect, type ActionFunctionArgs } from "@remix-run/node";
import { requireResultAccess } from "~/billing/guard.server";
import { readForm, textField } from "~/platform/forms/read-form";
import { UNDO_MS } from "~/runs/list.server";

export const loader = () => redirect("/runs", 303);

/** Restores the last deleted runs. */
export async function action(args: ActionFunctionArgs) {
  const user = await requireResultAccess(args);
  const { services, visitor } = args.context;
  const at = Number(textField(await readForm(args.request), "at"));
  const restored = Number.isSafeInteger(at) ? await services.runLists.restore(user.id, at) : 0;
  // Double click: within the undo time, runs that are no longer deleted have been restored.
  const isBack = restored > 0 || Math.abs(Date.now() - at) < UNDO_MS;
  await visitor.flash(isBack ? { text: "runsRestored", kind: "done" } : { text: "runsGone", kind: "problem" });
  return redirect("/runs", 303);
}
