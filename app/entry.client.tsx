import { RemixBrowser } from "@remix-run/react";
import i18next, { type ReadCallback } from "i18next";
import { startTransition, StrictMode } from "react";
import { hydrateRoot } from "react-dom/client";
import { I18nextProvider } from "react-i18next";
import { getInitialNamespaces } from "remix-i18next/client";
import { RequestContext, type RequestValues } from "~/components/request-context";
import { isColorScheme } from "~/lib/color-scheme";
import { DEFAULT_NAMESPACE, i18nOptions } from "~/lib/i18n";

type Texts = Record<string, unknown>;
const files = import.meta.glob<Texts>(
  "../locales/*/{common,home,check,account,billing,runs,report,fixes,history,reviews,tokens,contact,law,statement}.json",
  { import: "default" },
);

const backend = {
  type: "backend" as const,
  init() {},
  read(locale: string, namespace: string, done: ReadCallback) {
    const load = files[`../locales/${locale}/${namespace}.json`];
    if (!load) return done(null, {});
    load().then(
      (texts) => done(null, texts),
      (error: unknown) => done(error as Error, null),
    );
  },
};

function readRequestValues(): RequestValues {
  const { className } = document.documentElement;
  return {
    nonce: "",
    requestId: readMeta("request-id"),
    entryKey: (window.history.state as { key?: string } | null)?.key ?? "default",
    colorScheme: isColorScheme(className) ? className : "auto",
    sourceUrl: readMeta("source-url"),
  };
}

const readMeta = (name: string) => document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? "";

async function hydrate() {
  await i18next.use(backend).init({
    ...i18nOptions,
    // The tests see to it that no text is missing in one language, so the other one need not be loaded.
    fallbackLng: false,
    lng: document.documentElement.lang,
    ns: [DEFAULT_NAMESPACE, ...getInitialNamespaces()],
  });
  startTransition(() => {
    hydrateRoot(
      document,
      <I18nextProvider i18n={i18next}>
        <RequestContext.Provider value={readRequestValues()}>
          <StrictMode>
            <RemixBrowser />
          </StrictMode>
        </RequestContext.Provider>
      </I18nextProvider>,
    );
  });
}

void hydrate();
