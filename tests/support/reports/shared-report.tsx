import type { HeadersFunction, LoaderFunction, LoaderFunctionArgs } from "@remix-run/node";
import type { ComponentType } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { I18nextProvider } from "react-i18next";
import { createStaticHandler, createStaticRouter, StaticRouterProvider, type StaticHandlerContext } from "react-router-dom/server";
import type { Db } from "db/schema";
import { textsOf } from "~/platform/i18n/i18n.server";
import { createEvidence } from "~/findings/evidence.server";
import { createPictureStore, type PictureStore } from "~/findings/picture-store.server";
import { createPages } from "~/runs/page.server";
import { createPagePictures } from "~/findings/page-picture.server";
import { createKeyboardWalks } from "~/findings/keyboard-walk.server";
import { createCriterionReviews } from "~/reports/review/criterion-reviews.server";
import { createAcceptances } from "~/findings/acceptance/acceptances.server";
import { createReports } from "~/reports/report.server";
import type { Run } from "~/runs/run";

interface Page {
  loader: LoaderFunction;
  default: ComponentType;
  headers?: HeadersFunction;
}

interface Asked {
  params?: Record<string, string>;
  query?: string;
  locale?: "de" | "en";
  /** Rules whose details are not part of the owner's plan. */
  withheld?: ReadonlySet<string>;
  /** Undefined: pictures are in the database. */
  pictures?: PictureStore;
}

const TOKEN = "t".repeat(43);

/** Arguments for the loader of a page in a shared report. */
export function sharedContext(db: Db, run: Run, { params = {}, query = "", locale = "en", withheld = new Set(), pictures = createPictureStore({ db }) }: Asked = {}): LoaderFunctionArgs {
  const services = {
    pages: createPages({ db }),
    reports: createReports({ db }),
    evidence: createEvidence({ db, pictures }),
    keyboardWalks: createKeyboardWalks({ db, pictures }),
    pagePictures: createPagePictures({ db, pictures }),
    criterionReviews: createCriterionReviews({ db }),
    acceptances: createAcceptances({ db }),
    shares: { open: async () => run },
    scanRequests: { isUnlocked: async () => true },
    reportEntitlements: { withheld: async () => withheld },
  };
  const request = new Request(`https://rampe.example/shared/${TOKEN}${query}`, { headers: { Cookie: `locale=${locale}` } });
  return { request, params: { token: TOKEN, ...params }, context: { services } as never };
}

/** Text of a report's page, as shown to a visitor with a shared link. */
export async function sharedReport(db: Db, run: Run, page: Page, asked: Asked = {}): Promise<string> {
  return (await sharedMarkup(db, run, page, asked)).replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
}

export async function sharedMarkup(db: Db, run: Run, page: Page, asked: Asked = {}): Promise<string> {
  const args = sharedContext(db, run, asked);
  const answer: unknown = await page.loader(args);
  const { data } = answer as { data: unknown };
  const shownData = JSON.parse(JSON.stringify(data)) as object;
  const routes = [{ id: "page", path: "*", element: <page.default />, loader: () => shownData }];
  const handler = createStaticHandler(routes);
  const shown = (await handler.query(new Request(args.request.url))) as StaticHandlerContext;
  return renderToStaticMarkup(
    <I18nextProvider i18n={textsOf(asked.locale ?? "en")}>
      <StaticRouterProvider router={createStaticRouter(handler.dataRoutes, shown)} context={shown} hydrate={false} />
    </I18nextProvider>,
  );
}
