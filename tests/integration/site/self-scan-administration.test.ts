import type { Browser } from "puppeteer";
import { afterAll, beforeAll } from "vitest";
import { LOCALES, type Locale } from "~/platform/i18n/i18n";
import { newAdministrator, newPersonWithLongNames } from "../../support/accounts/accounts";
import { scansInEveryState } from "../../support/accounts/administration";
import { openBrowser } from "../../support/browser/browser";
import { look, promiseCleanViews, shareOf, type Analyses, type View } from "../../support/browser/self-scan";
import { startServer, type TestServer } from "../../support/servers/server";

const MESSAGES: Record<Locale, string> = {
  de: "Guten Tag, was kostet die Prüfung einer Website mit mehreren hundert Seiten, und wie lange dauert sie?",
  en: "Hello, what does the scan of a website with several hundred pages cost, and how long does it take?",
};

let server: TestServer;
let browser: Browser;
const analyses: Analyses = new Map();

beforeAll(async () => {
  // Mails wait: no server accepts them.
  [server, browser] = await Promise.all([startServer({ browser: false, env: { TRUST_PROXY: "1", SMTP_URL: "smtp://127.0.0.1:1" } }), openBrowser()]);
  await Promise.all(LOCALES.map(async (locale) => look(browser, server.origin, shareOf(await allViews(locale), locale), locale, analyses)));
});

afterAll(async () => {
  await browser.close();
  await server.stop();
});

promiseCleanViews(analyses, 5);

/** Pages of the administration of a used installation. */
async function allViews(locale: Locale): Promise<View[]> {
  const person = newPersonWithLongNames();
  const administrator = await newAdministrator(server, { language: locale, person });
  const db = await server.database();
  const { waiting } = await scansInEveryState(db, administrator.id);
  await administrator.post("/contact", { email: person.email, subject: person.name, message: `${"W".repeat(99)} ${MESSAGES[locale]}` });
  const { id: message } = await db.selectFrom("message").select("id").where("email", "=", person.email).executeTakeFirstOrThrow();
  const { id: mail } = await db.selectFrom("mail").select("id").orderBy("created_at", "desc").executeTakeFirstOrThrow();
  await administrator.post("/admin/queue/change", { what: "cancel", run: waiting });
  const views: View[] = [
    { name: "messages", path: "/admin/messages" },
    { name: "a question before a message is deleted", path: `/admin/messages/delete?message=${message}` },
    { name: "mails", path: "/admin/mails" },
    { name: "a question before a mail is deleted", path: `/admin/mails/delete?mail=${mail}` },
    { name: "entries of the audit log", path: "/admin/audit-log?action=run_canceled" },
  ];
  return views.map((view) => ({ ...view, cookie: administrator.cookie }));
}
