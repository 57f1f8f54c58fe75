import type { Browser, Page } from "puppeteer";
import { afterAll, beforeAll } from "vitest";
import { LOCALES, type Locale } from "~/platform/i18n/i18n";
import { signInAgain, signInAtProvider, startHosted, type HostedServer } from "../../support/accounts/hosted";
import { openBrowser } from "../../support/browser/browser";
import { look, promiseCleanViews, shareOf, type Analyses, type View } from "../../support/browser/self-scan";

let server: HostedServer;
let browser: Browser;
const analyses: Analyses = new Map();

beforeAll(async () => {
  [server, browser] = await Promise.all([startHosted(), openBrowser()]);
  await Promise.all(LOCALES.map(async (locale) => look(browser, server.origin, shareOf(await allViews(locale), locale), locale, analyses)));
});

afterAll(async () => {
  await browser.close();
  await server.stop();
});

promiseCleanViews(analyses, 6);

/** Pages that differ with a hosted provider. */
async function allViews(locale: Locale): Promise<View[]> {
  const [cookie, proved] = await Promise.all([member(locale), member(locale, "/profile/email")]);
  return [
    { name: "a hosted account", path: "/profile/general", cookie },
    { name: "what only the person themselves may do", path: "/profile/email", cookie },
    { name: "deleting, before who wants it is proved", path: "/account/delete", cookie },
    { name: "the form behind it", path: "/profile/email", cookie: proved },
    { name: "an address that the provider is to confirm", path: "/account/verify", cookie },
    { name: "its mail on the way", path: "/account/verify?sent", cookie },
    { name: "a sign-in that did not come about", path: "/auth/callback?error=access_denied&state=x", prepare: untilExplained },
  ];
}

/** User who has signed in, and again for a sensitive page. @returns their cookie */
async function member(locale: Locale, provedFor?: string): Promise<string> {
  const visitor = server.browser();
  visitor.cookies.set("locale", locale);
  const user = server.person({ email_verified: false });
  await signInAtProvider(visitor, user);
  if (provedFor) await signInAgain(visitor, user, provedFor);
  return `session=${visitor.cookies.get("session")}`;
}

const untilExplained = (page: Page) => page.waitForSelector(".notice, .error-summary");
