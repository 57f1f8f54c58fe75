import { test as base, type BrowserContext, type Page, type Response } from "@playwright/test";
import type { Locale } from "~/lib/i18n";
import { textsIn, type Texts } from "./texts";

export { expect } from "@playwright/test";

export interface VisitorOptions {
  /** Answers of our own that are no success, and meant to be none. */
  expectedStatuses: number[];
}

interface Visitor {
  /** Where our server is. */
  baseURL: string;
  /** The visitor's language. */
  language: Locale;
  /** The product's texts in that language. */
  t: Texts;
  /** Opens an address and waits until its scripts have taken over, if there are any. */
  open(address: string): Promise<Response | null>;
  /** Types an address into the form of the current page and sends it. */
  check(address: string): Promise<void>;
  /** Checks a page and waits until its result, or the reason for none, is there. */
  checked(address: string): Promise<void>;
  /** Fails the test for whatever a visitor's browser has to complain about. */
  silence: void;
}

/** An address of the site that visitors check. */
export const demo = (path: string) => `${process.env.RAMPE_E2E_SITE}${path}`;

/** The same as people write it, and as headings show it. */
export function inShort(path: string): string {
  const { host, pathname } = new URL(demo(path));
  return `${host}${pathname}`;
}

export const test = base.extend<VisitorOptions & Visitor>({
  expectedStatuses: [[], { option: true }],

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

  checked: ({ page, open, check }, use) =>
    use(async (address) => {
      await open("/");
      await check(address);
      await page.waitForURL(/\/check\//);
    }),

  silence: [
    async ({ context, javaScriptEnabled, expectedStatuses }, use) => {
      const complaints = listen(context, javaScriptEnabled !== false, expectedStatuses);
      await use();
      base.expect(complaints, "the browser has nothing to complain about").toEqual([]);
    },
    { auto: true },
  ],
});

/** React marks the elements that it has taken over. */
export async function hydrated(page: Page): Promise<void> {
  await page.waitForFunction(() => Object.keys(document.querySelector("main") ?? {}).some((key) => key.startsWith("__react")));
}

function listen(context: BrowserContext, scripts: boolean, expectedStatuses: number[]): string[] {
  const complaints: string[] = [];
  const isOurs = (url: string) => !url.startsWith(demo("/"));
  context.on("console", (message) => {
    // A status is judged where it is answered.
    const isStatus = message.text().startsWith("Failed to load resource: the server responded with a status");
    if (message.type() === "error" && !isStatus) complaints.push(`console: ${message.text()}`);
  });
  context.on("weberror", (error) => complaints.push(`script: ${error.error().message}`));
  context.on("response", (response) => {
    if (!isOurs(response.url()) || response.status() < 400 || expectedStatuses.includes(response.status())) return;
    complaints.push(`${response.status()} ${response.request().method()} ${response.url()}`);
  });
  context.on("requestfailed", (request) => {
    const failure = request.failure()?.errorText;
    // Whoever leaves a page breaks off what it was still asking for; and without scripts, none is loaded.
    const isMeant = failure === "net::ERR_ABORTED" || (!scripts && request.resourceType() === "script");
    if (isOurs(request.url()) && !isMeant) complaints.push(`${failure} ${request.url()}`);
  });
  return complaints;
}
