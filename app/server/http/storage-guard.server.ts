import type { ActionFunction, LoaderFunction, ServerBuild } from "@remix-run/node";
import { cannotStore } from "~/platform/http/error-status";
import { plainFields } from "~/platform/forms/form-answer";
import { storageTrouble, type StorageTrouble } from "~/platform/storage-trouble";
import { mapHandlers } from "./map-handlers";

/**
 * Answers 503 on every route while nothing can be written: the page explains the reason, and contains the typed values, to
 * send them again.
 */
export const guardStorage = (build: ServerBuild): ServerBuild => mapHandlers(build, guarded);

const REASONS: Record<StorageTrouble, string> = {
  full: "the disk is full",
  locked: "the database is locked by another program",
  unreachable: "the database does not answer",
  unwritable: "the disk cannot be written",
};

function guarded<Handler extends LoaderFunction | ActionFunction>(handler: Handler): Handler {
  const wrapped: ActionFunction = async (args) => {
    const { request, context } = args;
    const copy = request.method === "POST" ? request.clone() : null;
    try {
      return await handler(args);
    } catch (error) {
      const trouble = storageTrouble(error);
      if (trouble === null) throw error;
      context.log.error({ err: error, trouble }, REASONS[trouble]);
      throw cannotStore(trouble, copy && { action: pathOf(request), fields: await fieldsOf(copy) });
    }
  };
  return wrapped as Handler;
}

/** Path of the form, without the parts that Remix adds for scripts. */
function pathOf(request: Request): string {
  const { pathname, searchParams } = new URL(request.url);
  searchParams.delete("_routes");
  const query = searchParams.toString();
  return pathname.replace(/\.data$/, "") + (query && `?${query}`);
}

async function fieldsOf(request: Request): Promise<[string, string][]> {
  return plainFields(await request.formData().catch(() => new FormData()));
}
