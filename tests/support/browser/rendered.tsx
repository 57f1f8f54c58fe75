import { renderToStaticMarkup } from "react-dom/server";
import { I18nextProvider } from "react-i18next";
import { createStaticHandler, createStaticRouter, StaticRouterProvider, type StaticHandlerContext } from "react-router-dom/server";
import type { Locale } from "~/platform/i18n/i18n";
import { textsOf } from "~/platform/i18n/i18n.server";

/** Page of the site with its data, as answered to a visitor without scripts. */
export async function rendered(routes: Parameters<typeof createStaticHandler>[0], locale: Locale): Promise<string> {
  const handler = createStaticHandler(routes);
  const shown = (await handler.query(new Request("https://rampe.example/"))) as StaticHandlerContext;
  return renderToStaticMarkup(
    <I18nextProvider i18n={textsOf(locale)}>
      <StaticRouterProvider router={createStaticRouter(handler.dataRoutes, shown)} context={shown} hydrate={false} />
    </I18nextProvider>,
  );
}

/** Text and target of each link; links in links are not supported. */
export function linksIn(markup: string): { href: string; text: string }[] {
  return [...markup.matchAll(/<a\b[^>]*? href="([^"]*)"[^>]*>(.*?)<\/a>/gs)].map(([, href = "", inside = ""]) => ({
    href,
    text: inside.replace(/<img\b[^>]*? alt="([^"]*)"[^>]*>/g, "$1").replace(/<[^>]*>/g, "").replace(/\s+/g, " ").trim(),
  }));
}
