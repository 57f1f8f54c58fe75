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
/** Remix' status of a redirect for scripts (`SINGLE_FETCH_REDIRECT_STATUS`). */
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
        // All data is awaited before rendering, so streaming has no benefit. Waiting also allows status 500 if
        // rendering fails.
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

/** Like the page, data for scripts depends on the visitor's settings. */
export async function handleDataRequest(
  response: Response,
  { request, context }: LoaderFunctionArgs | ActionFunctionArgs,
): Promise<Response> {
  const leadsOn = response.status === SINGLE_FETCH_REDIRECT_STATUS;
  // An aborted request has shown no message.
  if (!leadsOn && !request.signal.aborted) await context.visitor.dropShownFlash();
  await setCaching(response.headers, context.visitor);
  return response;
}

async function setCaching(headers: Headers, visitor: Visitor): Promise<void> {
  headers.append("Vary", "Cookie, Accept-Language");
  if (headers.has("Cache-Control")) return;
  // Privacy: the next user of this browser must not see pages of a signed-in user. For other visitors: without this,
  // caches and the back button show a page in the previous language or color scheme.
  const isPersonal = await visitor.user().then(
    (user) => user !== null,
    () => true,
  );
  headers.set("Cache-Control", isPersonal ? "private, no-store" : "private, no-cache");
}

/** Logs errors: not responses such as 404, which the access log has, nor requests aborted by the visitor. */
export function handleError(error: unknown, { request, context }: LoaderFunctionArgs | ActionFunctionArgs): void {
  if (!request.signal.aborted && !isRouteErrorResponse(error)) context.log.error({ err: error }, "request failed");
}
