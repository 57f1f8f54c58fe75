import { createRequestHandler, type ActionFunction, type LoaderFunction, type ServerBuild } from "@remix-run/node";
import type { Env } from "~/platform/env.server";
import { mapHandlers } from "./map-handlers";

/** Path of the error page, for errors at any address. */
const ERROR_PAGE = "/refused";

/** Adds error pages to resource routes, such as downloads: Remix would send JSON, or an empty body. */
export function withErrorPages(build: ServerBuild, mode: Env["NODE_ENV"]): ServerBuild {
  const render = createRequestHandler(build, mode);
  return mapHandlers(build, (handler, route) => ("default" in route ? handler : withErrorPage(handler, render)));
}

function withErrorPage<Handler extends LoaderFunction | ActionFunction>(handler: Handler, render: ReturnType<typeof createRequestHandler>): Handler {
  const wrapped: ActionFunction = async (args) => {
    const { request, context } = args;
    try {
      return await handler(args);
    } catch (thrown) {
      if (isRedirect(thrown) || context.isDataRequest || isApi(request)) throw thrown;
      // No page is needed: the client has closed the connection.
      if (request.signal.aborted) throw thrown;
      const method = request.method === "HEAD" ? "HEAD" : "GET";
      const page = new Request(new URL(ERROR_PAGE, request.url), { method, headers: request.headers, signal: request.signal });
      return render(page, { ...context, failure: { thrown } });
    }
  };
  return wrapped as Handler;
}

const isRedirect = (thrown: unknown) => thrown instanceof Response && thrown.status < 400;

/** True for the API, which has its own error answers. */
const isApi = ({ url }: Request) => new URL(url).pathname.startsWith("/api/");
