import { createRequestHandler, type ActionFunction, type LoaderFunction, type ServerBuild } from "@remix-run/node";
import type { Env } from "~/platform/env.server";
import { mapHandlers } from "./map-handlers";

/** The page that shows an error, whatever its address. */
const ERROR_PAGE = "/refused";

/** Addresses without a page, such as a file, show their errors as pages, too: Remix would send JSON, or nothing. */
export function withErrorPages(build: ServerBuild, mode: Env["NODE_ENV"]): ServerBuild {
  const answer = createRequestHandler(build, mode);
  return mapHandlers(build, (handler, route) => ("default" in route ? handler : explained(handler, answer)));
}

function explained<Handler extends LoaderFunction | ActionFunction>(handler: Handler, answer: ReturnType<typeof createRequestHandler>): Handler {
  const wrapped: ActionFunction = async (args) => {
    const { request, context } = args;
    try {
      return await handler(args);
    } catch (thrown) {
      if (isRedirect(thrown) || context.forScripts || isApi(request)) throw thrown;
      const page = new Request(new URL(ERROR_PAGE, request.url), { method: request.method === "HEAD" ? "HEAD" : "GET", headers: request.headers });
      return answer(page, { ...context, failure: { thrown } });
    }
  };
  return wrapped as Handler;
}

const isRedirect = (thrown: unknown) => thrown instanceof Response && thrown.status < 400;

/** The API has answers of its own. */
const isApi = ({ url }: Request) => new URL(url).pathname.startsWith("/api/");
