import type { Browser, Page } from "puppeteer";
import { afterAll, beforeAll } from "vitest";
import { LOCALES, type Locale } from "~/platform/i18n/i18n";
import { HOSTED_PROBLEMS } from "~/accounts/hosted-problems";
import { COMMAND_LINE } from "~/administration/audit-log.server";
import { createInvitations } from "~/administration/invitations.server";
import { writeLetter } from "~/mail/letters.server";
import { confirmAddress, newAdministrator, newMember, newToken, signedIn, signIn, visitorOf, newPersonWithLongNames, type Person } from "../../support/accounts/accounts";
import { scansInEveryState } from "../../support/accounts/administration";
import { firstAdministratorLink } from "../../support/accounts/first-administrator";
import { mailTo } from "../../support/servers/outbox";
import { ADMINISTRATION_PAGES, signedInPages } from "../../support/browser/own-pages";
import { fillIn } from "../../support/browser/route-paths";
import { beginSetUp, newTwoFactorMember, OVERVIEW } from "../../support/accounts/second-factor";
import { openBrowser } from "../../support/browser/browser";
import { look, openMenu, promiseCleanViews, shareOf, type Analyses, type View } from "../../support/browser/self-scan";
import { startServer, type TestServer } from "../../support/servers/server";

const SUBMIT = "main form.form button[type=submit]";
const WRONG_LINK = "/account/verify?token=AAAAAAAAAAAAAAAAAAAAAA";

let server: TestServer;
/** Server with sign-in at a provider. */
let hosted: TestServer;
let browser: Browser;
const analyses: Analyses = new Map();

beforeAll(async () => {
  const provider = { AUTH0_DOMAIN: "tenant.invalid", AUTH0_CLIENT_ID: "id", AUTH0_CLIENT_SECRET: "secret" };
  [server, hosted, browser] = await Promise.all([
    startServer({ browser: false, env: { TRIAL_SCANS: "1", TRUST_PROXY: "1" } }),
    startServer({ browser: false, env: provider }),
    openBrowser(),
  ]);
  await Promise.all(
    LOCALES.map(async (locale) => look(browser, server.origin, shareOf(await allViews(locale), locale), locale, analyses)),
  );
});

afterAll(async () => {
  await browser.close();
  await Promise.all([server.stop(), hosted.stop()]);
});

async function allViews(locale: Locale): Promise<View[]> {
  const firstAdministrator: View = { name: "the link to the first administrator", path: await firstAdministratorLink(hosted), origin: hosted.origin };
  const members = [...(await membersViews(locale)), ...(await secondFactorViews(locale)), ...(await administratorsViews(locale))];
  return [...gettingIn(await resetLink(), await verifyLink()), ...hostedProblems(), firstAdministrator, ...members];
}

function gettingIn(resetPath: string, verifyPath: string): View[] {
  return [
    { name: "a refused log-in", path: "/login", prepare: submit },
    { name: "a refused registration", path: "/register", prepare: submit },
    { name: "a request for a password on the way to the plans", path: "/forgot-password?returnTo=%2Fsetup" },
    { name: "a refused request for a password", path: "/forgot-password", prepare: submit },
    { name: "a request for a password that was sent", path: "/forgot-password?sent" },
    { name: "a new password", path: resetPath },
    { name: "an address that is confirmed in another browser", path: verifyPath },
    { name: "a refused new password", path: resetPath, prepare: submit },
    { name: "a password that is shown", path: "/login", prepare: showPassword },
  ];
}

function hostedProblems(): View[] {
  return HOSTED_PROBLEMS.map((problem) => ({
    name: `a problem with the provider: ${problem}`,
    path: `/login?problem=${problem}`,
    origin: hosted.origin,
  }));
}

async function membersViews(locale: Locale): Promise<View[]> {
  const [{ person, cookie }, long] = await Promise.all([
    newMember(server, { language: locale }),
    newMember(server, { language: locale, person: newPersonWithLongNames() }),
  ]);
  const longCookie = long.cookie;
  // Another signed-in device, to sign out there.
  await signedIn(server, person);
  await confirmAddress(long, server);

  const paths = await signedInPages(server.origin, cookie);
  const states: View[] = [
    { name: "the menu of a signed-in user", path: "/setup", prepare: openMenu },
    { name: "an address that is confirmed", path: "/account/verify", cookie: longCookie },
    { name: "a used link to an address that is confirmed", path: "/account/verify?used", cookie: longCookie },
    { name: "a confirmed profile with long names", path: "/profile/general", cookie: longCookie },
    { name: "a link from a mail", path: WRONG_LINK },
    { name: "a link that is used up", path: WRONG_LINK, prepare: submit },
    { name: "a link that was sent", path: "/account/verify?sent" },
    { name: "a refused name", path: "/profile/name", prepare: submitNoName },
    { name: "a refused address", path: "/profile/email", prepare: submit },
    { name: "another address that was sent", path: "/profile/email?sent" },
    { name: "a refused password", path: "/account/password", prepare: submit },
    { name: "a refused deletion", path: "/account/delete", prepare: submit },
    { name: "a form that comes back", path: "/profile/name", prepare: sendAfterSession(person) },
    { name: "a message about what was done", path: "/profile/name", prepare: changeName },
  ];
  return [...paths.map((path): View => ({ name: path, path })), ...states].map((view) => ({ cookie, ...view }));
}

async function secondFactorViews(locale: Locale): Promise<View[]> {
  const [beginner, member] = await Promise.all([newMember(server, { language: locale }), newTwoFactorMember(server, { language: locale })]);
  await confirmAddress(beginner, server);
  await beginSetUp(beginner);
  const device = visitorOf(server, { language: locale });
  await signIn(device, member.person);
  const pending = `second-step=${device.cookies.get("second-step")}`;
  const { cookie } = member;
  return [
    { name: "an app that is being connected", path: `${OVERVIEW}/app`, cookie: `session=${beginner.cookies.get("session")}` },
    { name: "a second factor that is on", path: OVERVIEW, cookie },
    { name: "new recovery codes", path: `${OVERVIEW}/recovery-codes`, cookie, prepare: submit },
    { name: "passkeys", path: `${OVERVIEW}/passkeys`, cookie },
    { name: "turning the second factor off", path: `${OVERVIEW}/off`, cookie },
    { name: "the second step of a log-in", path: "/login/second-factor", cookie: pending },
    { name: "a refused second step", path: "/login/second-factor?with=recovery", cookie: pending, prepare: submit },
  ];
}

async function administratorsViews(locale: Locale): Promise<View[]> {
  const { id, cookie } = await newAdministrator(server, { language: locale, person: newPersonWithLongNames() });
  const { running, failed } = await scansInEveryState(await server.database(), id);
  const paths = (await signedInPages(server.origin, cookie)).filter((path) => path.startsWith("/admin"));
  const patterns = ADMINISTRATION_PAGES.map((path) => fillIn(path, { id }));
  await createInvitations({ hosted: false, db: await server.database(), mails: { post: async () => {} }, write: writeLetter, baseUrl: server.origin }).invite(COMMAND_LINE, { email: newPersonWithLongNames().email, locale });
  const states: View[] = [
    { name: "a page that asks for a recent sign-in", path: "/login?again=yes" },
    { name: "a refused invitation", path: "/admin/invitations", prepare: submit },
    ...queueStates(running, failed),
  ];
  return [...[...paths, ...patterns].map((path): View => ({ name: path.replace(id, ":id"), path })), ...states].map((view) => ({ cookie, ...view }));
}

const queueStates = (running: string, failed: string): View[] => [
  { name: "the scans that failed", path: "/admin/queue?state=failed" },
  { name: "a question before a scan is canceled", path: `/admin/queue/change?what=cancel&run=${running}` },
  { name: "a question before a scan is deleted", path: `/admin/queue/change?what=delete&run=${failed}` },
];

/** Link of a user with a token who is signed in on another device. */
async function verifyLink(): Promise<string> {
  const member = await newMember(server, { person: newPersonWithLongNames() });
  const name = "A token with a rather long name, for the nightly build";
  await newToken(member, { name, "runs:read": "yes" });
  return (await mailTo(server.dataDir, member.person.email, "verify")).link;
}

async function resetLink(): Promise<string> {
  const { post, person } = await newMember(server);
  await post("/forgot-password", { email: person.email });
  return (await mailTo(server.dataDir, person.email, "reset_password")).link;
}

// By script, because a mouse click would miss while the page is still scrolling to the button.
const press = (page: Page) => page.$eval(SUBMIT, (button) => button.click());

async function submit(page: Page): Promise<void> {
  await press(page);
  await page.waitForSelector("[role=alert]");
}

async function submitNoName(page: Page): Promise<void> {
  await page.$eval("#name", (field) => ((field as HTMLInputElement).value = ""));
  await submit(page);
}

async function showPassword(page: Page): Promise<void> {
  await (await page.waitForSelector(".password-toggle"))?.click();
  await page.waitForSelector("#password[type=text]");
}

async function changeName(page: Page): Promise<void> {
  await press(page);
  await page.waitForSelector(".flash");
}

/** Ends the session before a form is sent. */
function sendAfterSession({ email, password }: Person) {
  return async (page: Page): Promise<void> => {
    const context = page.browserContext();
    await context.deleteCookie(...(await context.cookies()));
    await press(page);
    await page.waitForSelector("#password");
    await page.type("#email", email);
    await page.type("#password", password);
    await press(page);
    await page.waitForSelector("main .notice[role=status]");
  };
}

promiseCleanViews(analyses, 40);
