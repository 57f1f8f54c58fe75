import { PassThrough } from "node:stream";
import {
  createReadableStreamFromReadable,
  type ActionFunctionArgs,
  type AppLoadContext,
  type EntryContext,
  type LoaderFunctionArgs,
} from "@remix-run/node";
import { isRouteErrorResponse, RemixServer } from "@remix-run/react";
import { isbot } from "isbot";
import { renderToPipeableStream } from "react-dom/server";
import { I18nextProvider } from "react-i18next";
import { RequestContext } from "~/components/request-context";
import { colorSchemeOf } from "~/lib/color-scheme";
import { localeOf, textsOf } from "~/lib/i18n.server";

export const streamTimeout = 15_000;

export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  remixContext: EntryContext,
  { nonce, requestId, log, services }: AppLoadContext,
): Promise<Response> {
  const locale = await localeOf(request);
  const colorScheme = colorSchemeOf(request);
  const values = { nonce, requestId, colorScheme, sourceUrl: services.env.SOURCE_URL };
  headers.set("Content-Type", "text/html; charset=utf-8");
  headers.set("Content-Language", locale);
  headers.append("Vary", "Cookie, Accept-Language");
  // A page depends on the visitor's settings; without this, caches and the back button keep the old ones.
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "private, no-cache");

  return new Promise((resolve, reject) => {
    let failed = false;
    const answer = () => {
      const body = new PassThrough();
      resolve(new Response(createReadableStreamFromReadable(body), { headers, status: failed ? 500 : status }));
      page.pipe(body);
    };
    // Robots are given the whole page at once; our own pages await everything, so that others wait for nothing either.
    const whole = isbot(request.headers.get("User-Agent"));
    const page = renderToPipeableStream(
      <I18nextProvider i18n={textsOf(locale)}>
        <RequestContext.Provider value={values}>
          <RemixServer context={remixContext} url={request.url} abortDelay={streamTimeout} nonce={nonce} />
        </RequestContext.Provider>
      </I18nextProvider>,
      {
        nonce,
        [whole ? "onAllReady" : "onShellReady"]: answer,
        onShellError: reject,
        onError(error) {
          failed = true;
          log.error({ err: error }, "rendering failed");
        },
      },
    );
    setTimeout(() => page.abort(), streamTimeout + 1_000).unref();
  });
}

/** Logs what broke: not an answer such as 404, which the access log has, nor what the visitor aborted. */
export function handleError(error: unknown, { request, context }: LoaderFunctionArgs | ActionFunctionArgs): void {
  if (!request.signal.aborted && !isRouteErrorResponse(error)) context.log.error({ err: error }, "request failed");
}
