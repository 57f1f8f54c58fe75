import { data, type HeadersFunction, type LinksFunction, type LoaderFunctionArgs } from "@remix-run/node";
import {
  isRouteErrorResponse,
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useLocation,
  useMatches,
  useRouteError,
  useRouteLoaderData,
} from "@remix-run/react";
import { useContext, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useChangeLanguage } from "remix-i18next/react";
import fontUrl from "@fontsource-variable/atkinson-hyperlegible-next/files/atkinson-hyperlegible-next-latin-wght-normal.woff2?url";
import { ErrorPage } from "~/ui/error-page";
import { FlashMessage } from "~/ui/frame/flash-message";
import { SiteFooter } from "~/ui/frame/site-footer";
import { SiteHeader } from "~/ui/frame/site-header";
import { useFlash } from "~/ui/frame/use-flash";
import { RequestContext } from "~/ui/request-context";
import { useHydration } from "~/ui/hydration";
import { useHeadingFocus } from "~/ui/use-heading-focus";
import { colorSchemeOf } from "~/platform/http/color-scheme";
import { errorKindOf, thrownKind, NO_ANSWER, type ErrorKind } from "~/platform/http/error-status";
import { DEFAULT_LOCALE, isLocale } from "~/platform/i18n/i18n";
import { localeOf, textsOf } from "~/platform/i18n/i18n.server";
import { methodNotAllowed } from "~/platform/http/method-not-allowed";
import type { Reload } from "~/platform/http/reload";
import { searchTags } from "~/site/search-engines/tags";
import "./styles.css";

export const links: LinksFunction = () => [
  { rel: "preload", href: fontUrl, as: "font", type: "font/woff2", crossOrigin: "anonymous" },
  { rel: "icon", href: "/favicon.svg", type: "image/svg+xml" },
  { rel: "icon", href: "/favicon.ico", sizes: "32x32" },
  { rel: "apple-touch-icon", href: "/icons/180.png" },
  { rel: "manifest", href: "/site.webmanifest" },
];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { visitor, services } = context;
  const locale = await localeOf(request);
  const imageAlt = textsOf(locale).t("previewPicture");
  const user = await visitor.user();
  return data({
    locale,
    search: searchTags(services.env.BASE_URL, new URL(request.url).pathname, { locale, imageAlt }),
    colorScheme: colorSchemeOf(request),
    signedIn: user !== null,
    administers: user?.isAdministrator ?? false,
    selling: services.billing !== null,
    registering: !services.registration.isClosed,
    legal: services.billing && { ...services.legal.links(locale), vat: services.legal.vat },
    flash: await visitor.showFlash(),
    version: services.version,
  });
}

/** For other forms sent to `/`: those of the home page go to `/?index`. */
export const action = methodNotAllowed;

/** Passes headers of an error, such as `Allow` or `Retry-After`, to the browser. */
export const headers: HeadersFunction = ({ errorHeaders, loaderHeaders }) => errorHeaders ?? loaderHeaders;

export function Layout({ children }: { children: ReactNode }) {
  const root = useRouteLoaderData<typeof loader>("root");
  const { i18n } = useTranslation();
  const error = useRouteError();
  const { requestId, nonce, sourceUrl, ...request } = useContext(RequestContext);
  const { pathname, search, key } = useLocation();
  useHeadingFocus(`${pathname}${search} ${error ? statusOf(error) : "ok"}`, key);
  // The loader knows a language switch made by scripts; an error page may have no loader data.
  const locale = root?.locale ?? i18n.language;
  const colorScheme = root?.colorScheme ?? request.colorScheme;
  const flash = useFlash(root?.flash ?? null);
  useChangeLanguage(locale);
  useHydration();

  return (
    // Language of the shown texts: after a switch, the new texts arrive a moment later.
    <html lang={i18n.language} className={colorScheme}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="request-id" content={requestId} />
        <meta name="source-url" content={sourceUrl} />
        {error ? <ErrorTitle error={error} /> : <Meta />}
        {!error && root?.search?.links.map((link) => <link key={link.rel + link.hrefLang} {...link} />)}
        {!error && root?.search?.meta.map((meta) => <meta key={meta.property} {...meta} />)}
        {!error && <Refresh />}
        <Links />
      </head>
      <body>
        <SiteHeader
          locale={isLocale(locale) ? locale : DEFAULT_LOCALE}
          colorScheme={colorScheme}
          signedIn={root?.signedIn ?? false}
          administers={root?.administers ?? false}
          selling={root?.selling ?? true}
          registering={root?.registering ?? true}
        />
        <main id="main" tabIndex={-1}>
          {/* Must exist before the message, else assistive technology does not announce it. */}
          <div role="status">{flash && <FlashMessage {...flash} />}</div>
          {children}
        </main>
        <SiteFooter sourceUrl={sourceUrl} version={root?.version} />
        <ScrollRestoration nonce={nonce} />
        <Scripts nonce={nonce} />
      </body>
    </html>
  );
}

/** Without scripts, a page that its visitor asked to reload itself does so: its loader gives `reload`. */
function Refresh() {
  const reload = useMatches().flatMap(({ data: page }) => (page as { reload?: Reload | null } | undefined)?.reload ?? [])[0];
  if (!reload?.isOn) return null;
  return (
    <noscript>
      <meta httpEquiv="refresh" content={String(reload.seconds)} />
    </noscript>
  );
}

function ErrorTitle({ error }: { error: unknown }) {
  const { t } = useTranslation();
  return <title>{t("title", { page: t(`errors.${kindOf(error)}.title`) })}</title>;
}

export default function App() {
  return <Outlet />;
}

export function ErrorBoundary() {
  const error = useRouteError();
  const form = isRouteErrorResponse(error) ? thrownKind(error.data).form : null;
  return <ErrorPage status={statusOf(error)} kind={kindOf(error)} form={form ?? null} />;
}

function kindOf(error: unknown): ErrorKind {
  const thrown = isRouteErrorResponse(error) ? thrownKind(error.data).kind : undefined;
  return thrown ?? errorKindOf(statusOf(error));
}

function statusOf(error: unknown): number {
  if (isRouteErrorResponse(error)) return error.status;
  // `fetch` throws this without a network connection; on the server it is an ordinary error.
  return error instanceof TypeError && typeof window !== "undefined" && !navigator.onLine ? NO_ANSWER : 500;
}
