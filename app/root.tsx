import { data, type LinksFunction, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import {
  isRouteErrorResponse,
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useRouteError,
  useRouteLoaderData,
} from "@remix-run/react";
import { useContext, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useChangeLanguage } from "remix-i18next/react";
import fontUrl from "@fontsource-variable/atkinson-hyperlegible-next/files/atkinson-hyperlegible-next-latin-wght-normal.woff2?url";
import { ErrorPage } from "~/components/error-page";
import { SiteFooter } from "~/components/frame/site-footer";
import { SiteHeader } from "~/components/frame/site-header";
import { RequestContext } from "~/components/request-context";
import { COLOR_SCHEME_COOKIE, isColorScheme, type ColorScheme } from "~/lib/color-scheme";
import { readCookie } from "~/lib/cookies";
import { ERROR_KINDS, errorKindOf, type ErrorKind } from "~/lib/error-status";
import { isLocale, type Locale } from "~/lib/i18n";
import { localeOf, textsOf } from "~/lib/i18n.server";
import "./styles/index.css";

export const handle = { i18n: ["common"] };

export const links: LinksFunction = () => [
  { rel: "preload", href: fontUrl, as: "font", type: "font/woff2", crossOrigin: "anonymous" },
  { rel: "icon", href: "/favicon.svg", type: "image/svg+xml" },
  { rel: "icon", href: "/favicon.ico", sizes: "32x32" },
];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const locale = await localeOf(request);
  const scheme = readCookie(request, COLOR_SCHEME_COOKIE);
  const colorScheme: ColorScheme = isColorScheme(scheme) ? scheme : "auto";
  const { SOURCE_URL } = context.services.env;
  return data({ locale, colorScheme, sourceUrl: SOURCE_URL, errorTitles: errorTitles(locale) });
}

function errorTitles(locale: Locale): Record<ErrorKind, string> {
  const { t } = textsOf(locale);
  return Object.fromEntries(ERROR_KINDS.map((kind) => [kind, t(`errors.${kind}.title`)])) as Record<ErrorKind, string>;
}

/** The title of error pages; every other page brings its own. */
export const meta: MetaFunction<typeof loader> = ({ data: root, error }) => {
  const title = error ? root?.errorTitles[errorKindOf(isRouteErrorResponse(error) ? error.status : 500)] : undefined;
  return [{ title: title ? `${title} – Rampe` : "Rampe" }];
};

export function Layout({ children }: { children: ReactNode }) {
  const root = useRouteLoaderData<typeof loader>("root");
  const { i18n } = useTranslation();
  const { requestId, nonce } = useContext(RequestContext);
  // Where the loader itself failed, the language is what the server rendered with.
  const locale = root?.locale ?? i18n.language;

  return (
    <html lang={locale} className={root?.colorScheme ?? "auto"}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="request-id" content={requestId} suppressHydrationWarning />
        <Meta />
        <Links />
      </head>
      <body>
        <a className="skip-link" href="#main">
          {i18n.t("skip")}
        </a>
        <SiteHeader locale={isLocale(locale) ? locale : "de"} colorScheme={root?.colorScheme ?? "auto"} />
        <main id="main" tabIndex={-1}>
          {children}
        </main>
        <SiteFooter sourceUrl={root?.sourceUrl ?? "/"} />
        <ScrollRestoration nonce={nonce} />
        <Scripts nonce={nonce} />
      </body>
    </html>
  );
}

export default function App() {
  const { locale } = useRouteLoaderData<typeof loader>("root") ?? { locale: "de" };
  useChangeLanguage(locale);
  return <Outlet />;
}

export function ErrorBoundary() {
  const error = useRouteError();
  return <ErrorPage status={isRouteErrorResponse(error) ? error.status : 500} />;
}
