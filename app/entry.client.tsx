import { RemixBrowser } from "@remix-run/react";
import i18next, { type ReadCallback } from "i18next";
import { startTransition, StrictMode } from "react";
import { hydrateRoot } from "react-dom/client";
import { I18nextProvider } from "react-i18next";
import { getInitialNamespaces } from "remix-i18next/client";
import { keepChanges } from "~/ui/form/keep-changes";
import { RequestContext, type RequestValues } from "~/ui/request-context";
import { isColorScheme } from "~/platform/http/color-scheme";
import { DEFAULT_NAMESPACE, i18nOptions } from "~/platform/i18n/i18n";

type Texts = Record<string, unknown>;
const files = import.meta.glob<Texts>(
  "../locales/*/{common,home,check,account,billing,runs,report,fixes,history,reviews,tokens,contact,law,statement,rulebook,acceptance,websites,factors,admin}.json",
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

/**
 * Waits for the page data before the first render, where Remix would suspend. React 18 fails on a suspended root if the user
 * clicks before hydration (error 345), and the page then stays without scripts.
 */
async function dataDecoded() {
  try {
    // Outside of a render it only throws its pending promise; its hooks come later.
    RemixBrowser({});
  } catch (pending) {
    await pending;
  }
}

async function hydrate() {
  const decoded = dataDecoded();
  await i18next.use(backend).init({
    ...i18nOptions,
    // Tests ensure that no language lacks a text, so the fallback need not be loaded.
    fallbackLng: false,
    lng: document.documentElement.lang,
    ns: [DEFAULT_NAMESPACE, ...getInitialNamespaces()],
  });
  await decoded;
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

keepChanges();
void hydrate();
