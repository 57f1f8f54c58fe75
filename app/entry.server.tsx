import {
  createReadableStreamFromReadable,
  type ActionFunctionArgs,
  type AppLoadContext,
  type EntryContext,
  type LoaderFunctionArgs,
} from "@remix-run/node";
import { isRouteErrorResponse, RemixServer } from "@remix-run/react";
import { renderToPipeableStream } from "react-dom/server";
import { I18nextProvider } from "react-i18next";
import { RequestContext } from "~/ui/request-context";
import { colorSchemeOf } from "~/platform/http/color-scheme";
import { postprocessHtml } from "~/platform/http/postprocess-html.server";
import { localeOf, textsOf } from "~/platform/i18n/i18n.server";
import type { Visitor } from "~/accounts/visitor.server";

export const streamTimeout = 15_000;
/** Remix' answer to a script that is to ask for another page (`SINGLE_FETCH_REDIRECT_STATUS`). */
const SINGLE_FETCH_REDIRECT_STATUS = 202;

export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  remixContext: EntryContext,
  { nonce, requestId, log, services, visitor }: AppLoadContext,
): Promise<Response> {
  await visitor.dropShownFlash();
  const locale = await localeOf(request);
  const colorScheme = colorSchemeOf(request);
  const values = { nonce, requestId, entryKey: "default", colorScheme, sourceUrl: services.env.SOURCE_URL };
  headers.set("Content-Type", "text/html; charset=utf-8");
  headers.set("Content-Language", locale);
  await setCaching(headers, visitor);

  return new Promise((resolve, reject) => {
    const page = renderToPipeableStream(
      <I18nextProvider i18n={textsOf(locale)}>
        <RequestContext.Provider value={values}>
          <RemixServer context={remixContext} url={request.url} abortDelay={streamTimeout} nonce={nonce} />
        </RequestContext.Provider>
      </I18nextProvider>,
      {
        nonce,
        // Everything a page needs is awaited, so that there is nothing to gain from sending it in parts, and a page that
        // breaks while it is rendered is answered with 500.
        onAllReady() {
          resolve(new Response(createReadableStreamFromReadable(page.pipe(postprocessHtml(nonce))), { headers, status }));
        },
        onShellError: reject,
        onError(error) {
          log.error({ err: error }, "rendering failed");
        },
      },
    );
    setTimeout(() => page.abort(), streamTimeout + 1_000).unref();
  });
}

/** Data for scripts depends on the visitor's settings as much as the page does. */
export async function handleDataRequest(
  response: Response,
  { context }: LoaderFunctionArgs | ActionFunctionArgs,
): Promise<Response> {
  const leadsOn = response.status === SINGLE_FETCH_REDIRECT_STATUS;
  if (!leadsOn) await context.visitor.dropShownFlash();
  await setCaching(response.headers, context.visitor);
  return response;
}

async function setCaching(headers: Headers, visitor: Visitor): Promise<void> {
  headers.append("Vary", "Cookie, Accept-Language");
  if (headers.has("Cache-Control")) return;
  // Whoever comes to this browser next must not find what somebody has seen here. For everybody else: without this,
  // caches and the back button keep a page in the language or scheme from before.
  const isPersonal = await visitor.user().then(
    (user) => user !== null,
    () => true,
  );
  headers.set("Cache-Control", isPersonal ? "private, no-store" : "private, no-cache");
}

/** Logs what broke: not an answer such as 404, which the access log has, nor what the visitor aborted. */
export function handleError(error: unknown, { request, context }: LoaderFunctionArgs | ActionFunctionArgs): void {
  if (!request.signal.aborted && !isRouteErrorResponse(error)) context.log.error({ err: error }, "request failed");
}
