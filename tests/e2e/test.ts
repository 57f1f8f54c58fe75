import { test as base, type BrowserContext, type Page, type Response } from "@playwright/test";
import type { Locale } from "~/platform/i18n/i18n";
import type { LetterKind } from "~/mail/mail";
import type { ProviderSubscription } from "~/billing/provider";
import { randomClientAddress, newMember, signedIn, newPerson, type Member, type Person } from "../support/accounts/accounts";
import { subscribe } from "../support/billing/bought";
import { mailTo, type ReceivedMail } from "../support/servers/outbox";
import { withDatabase } from "../support/database/server-database";
import { textsIn, type Texts } from "./texts";

export { expect } from "@playwright/test";

export interface VisitorOptions {
  /** Expected error statuses of our own server. */
  expectedStatuses: number[];
}

interface Visitor {
  /** Origin of our server. */
  baseURL: string;
  /** Language of the visitor. */
  language: Locale;
  /** Texts of the product in that language. */
  t: Texts;
  /** Opens an address and waits for hydration, if there are scripts. */
  open(address: string): Promise<Response | null>;
  /** Types an address into the form of the current page and sends it. */
  check(address: string): Promise<void>;
  /** Waits for the result of a check, or its failure; without scripts, follows the page's refresh link. */
  answered(): Promise<void>;
  /** Checks a page and waits for the answer. */
  checked(address: string): Promise<void>;
  /** Visitor without an account yet. */
  person: Person;
  /** Fills in fields of the current page, by their names in `account:field`. */
  fill(values: Partial<Record<FieldName, string>>): Promise<void>;
  /** Presses a button of the page's content. */
  press(name: string): Promise<void>;
  /** Waits for the form with this heading: with scripts in a dialog, otherwise as a page. */
  asked(heading: string): Promise<void>;
  /** Makes an account for the visitor and signs them in. */
  joined(): Promise<Member>;
  /** Creates an account with a plan; by default Pro, for five websites. */
  subscribed(plan?: Partial<ProviderSubscription>): Promise<Member>;
  /** Signs the visitor in on another device. */
  elsewhere(): Promise<Member>;
  /** Newest mail of a kind to the visitor, or to another address. */
  mail(kind: LetterKind, to?: string, count?: number): Promise<ReceivedMail>;
  /** Fails the test for any error reported by the browser. */
  silence: void;
}

export type FieldName = "name" | "email" | "password" | "newEmail" | "currentPassword" | "newPassword";

/** An address of the site that visitors check. */
export const demo = (path: string) => `${process.env.RAMPE_E2E_SITE}${path}`;

/** Data folder of our server. */
export const dataDir = () => process.env.RAMPE_E2E_DATA ?? "";

/** Short form of an address, as in headings. */
export function inShort(path: string): string {
  const { host, pathname } = new URL(demo(path));
  return `${host}${pathname}`;
}

export const test = base.extend<VisitorOptions & Visitor>({
  expectedStatuses: [[], { option: true }],

  // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern what a fixture needs.
  extraHTTPHeaders: ({}, use) => use(randomClientAddress()),

  language: ({ locale }, use) => use(locale?.startsWith("en") ? "en" : "de"),

  t: ({ language }, use) => use(textsIn(language)),

  open: ({ page, javaScriptEnabled }, use) =>
    use(async (address) => {
      const answer = await page.goto(address);
      if (javaScriptEnabled) await hydrated(page);
      return answer;
    }),

  check: ({ page, t }, use) =>
    use(async (address) => {
      await page.getByLabel(t("home:form.label")).fill(address);
      await page.getByRole("button", { name: t("home:form.submit") }).click();
    }),

  answered: ({ page, t, javaScriptEnabled }, use) =>
    use(async () => {
      await page.waitForURL(/\/check\//);
      // With scripts, the address changes shortly before the content.
      await base.expect(page.locator(".check-page")).toBeVisible();
      const refresh = page.getByRole("link", { name: t("check:refresh") });
      await base
        .expect(async () => {
          if (javaScriptEnabled === false && (await refresh.isVisible())) await refresh.click();
          await base.expect(refresh).toHaveCount(0, { timeout: 1_000 });
        })
        .toPass({ timeout: 60_000 });
    }),

  checked: ({ open, check, answered }, use) =>
    use(async (address) => {
      await open("/");
      await check(address);
      await answered();
    }),

  // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern what a fixture needs.
  person: ({}, use) => use(newPerson()),

  fill: ({ page, t }, use) =>
    use(async (values) => {
      for (const [name, value] of Object.entries(values)) {
        await page.getByLabel(t(`account:field.${name as FieldName}`), { exact: true }).fill(value);
      }
    }),

  press: ({ page }, use) => use((name) => page.getByRole("main").getByRole("button", { name, exact: true }).click()),

  asked: ({ page, javaScriptEnabled }, use) =>
    use(async (heading) => {
      const place = javaScriptEnabled === false ? page.getByRole("main") : page.getByRole("dialog", { name: heading, exact: true });
      await base.expect(place.getByRole("heading", { name: heading, exact: true })).toBeVisible();
    }),

  joined: ({ context, baseURL, person, language }, use) =>
    use(async () => {
      const member = await newMember({ origin: baseURL }, { person, language });
      const [name = "", value = ""] = member.cookie.split(/=(.*)/s);
      await context.addCookies([{ name, value, url: baseURL }]);
      return member;
    }),

  subscribed: ({ joined }, use) =>
    use(async (plan) => {
      const member = await joined();
      await withDatabase({ dataDir: dataDir() }, (db) => subscribe(db, member, plan));
      return member;
    }),

  elsewhere: ({ baseURL, person }, use) => use(() => signedIn({ origin: baseURL }, person)),

  mail: ({ person }, use) => use((kind, to = person.email, count = 1) => mailTo(dataDir(), to, kind, count)),

  silence: [
    async ({ context, javaScriptEnabled, expectedStatuses }, use) => {
      const complaints = listen(context, javaScriptEnabled !== false, expectedStatuses);
      await use();
      base.expect(complaints, "errors that the browser reports").toEqual([]);
    },
    { auto: true },
  ],
});

/** On small screens, navigation and settings are in a menu. */
export async function openMenu(page: Page): Promise<void> {
  // Wait: a page that is still loading has no menu yet.
  await page.waitForLoadState("domcontentloaded");
  const menu = page.locator("summary").first();
  if (await menu.isVisible()) await menu.click();
}

/** Waits for hydration: React marks hydrated elements; controls for scripts, such as copying, are added by effects after the next frame. */
export async function hydrated(page: Page): Promise<void> {
  await page.waitForFunction(() => Object.keys(document.querySelector("main") ?? {}).some((key) => key.startsWith("__react")));
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)))));
}

function listen(context: BrowserContext, scripts: boolean, expectedStatuses: number[]): string[] {
  const complaints: string[] = [];
  const isOurs = (url: string) => !url.startsWith(demo("/"));
  context.on("console", (message) => {
    // The test checks statuses with the response.
    const isStatus = message.text().startsWith("Failed to load resource: the server responded with a status");
    // Remix was still reading a response when the visitor left the page.
    const isLeft = message.text().startsWith("AbortError: signal is aborted");
    if (message.type() === "error" && !isStatus && !isLeft) complaints.push(`console: ${message.text()}`);
  });
  context.on("weberror", (error) => {
    const { message } = error.error();
    // Remix had requested a response, or was still reading it, when the next form was sent.
    if (!/^(BodyStreamBuffer was|signal is) aborted\b/.test(message)) complaints.push(`script: ${message}`);
  });
  context.on("response", (response) => {
    if (!isOurs(response.url()) || response.status() < 400 || expectedStatuses.includes(response.status())) return;
    complaints.push(`${response.status()} ${response.request().method()} ${response.url()}`);
  });
  context.on("requestfailed", (request) => {
    const failure = request.failure()?.errorText;
    // Leaving a page aborts its requests; without scripts, none are loaded.
    const isMeant = failure === "net::ERR_ABORTED" || (!scripts && request.resourceType() === "script");
    if (isOurs(request.url()) && !isMeant) complaints.push(`${failure} ${request.url()}`);
  });
  return complaints;
}
