import { data, type LoaderFunctionArgs } from "@remix-run/node";
import { ownRun } from "~/report-page.server";
import { PICTURE_TYPE, type ElementKey } from "~/models/evidence.server";
import { CATEGORIES, type Category } from "~/scan/types";

/** What an element of a full report looks like. */
export async function loader(args: LoaderFunctionArgs) {
  const { run, userId } = await ownRun(args);
  const { orders, evidence } = args.context.services;
  const key = elementKey(args.params);
  const isOpen = key !== undefined && (await orders.isUnlocked(userId, run));
  const image = isOpen ? await evidence.picture(run.id, key) : undefined;
  if (!image) throw data(null, { status: 404 });
  return new Response(image, {
    headers: { "Content-Type": PICTURE_TYPE, "Cache-Control": "private, max-age=3600" },
  });
}

/** Undefined for what can be no element's. */
function elementKey({ page, category, rule, position }: LoaderFunctionArgs["params"]): ElementKey | undefined {
  const isCategory = (CATEGORIES as readonly (string | undefined)[]).includes(category);
  const areNumbers = [page, position].every((text) => text !== undefined && /^\d{1,15}$/.test(text));
  if (!isCategory || !areNumbers || !rule) return undefined;
  return { pageId: Number(page), category: category as Category, ruleId: rule, position: Number(position) };
}
