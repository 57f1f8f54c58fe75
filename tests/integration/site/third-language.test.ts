import { afterAll, beforeAll, expect, test } from "vitest";
import { register, newAdministrator, newPerson } from "../../support/accounts/accounts";
import { scansInEveryState } from "../../support/accounts/administration";
import { subscribe } from "../../support/billing/bought";
import { openDemoSite } from "../../support/scan/demo-site";
import { openFormBrowser, type Answer, type FormBrowser } from "../../support/browser/form-browser";
import { freePort } from "../../support/servers/free-port";
import { MADE_UP, productWithMadeUpLanguage } from "../../support/browser/made-up-language";
import { finishedRun } from "../../support/database/finished-runs";
import { checkedPage, element, finding } from "../../support/database/page-results";
import { mailsTo } from "../../support/servers/outbox";
import { pdfText } from "../../support/reports/pdf-text";
import { readCsv } from "../../support/reports/read-csv";
import { scanned } from "../../support/browser/run-pages";
import { startServer, type TestServer } from "../../support/servers/server";
import type { Site } from "../../support/scan/site";
import { outsideBrackets, untranslated } from "../../support/browser/untranslated";

/**
 * Texts that are the same in all languages: names, addresses, numbers of criteria, dates and durations from `Intl`, typed values that a form
 * shows again, and parts of technical names.
 */
const IN_EVERY_LANGUAGE = [
  /Rampe( Basic| Pro)?|teekiste\.example|(axe-core|rampe) [\d.]+|WCAG( 2\.[12])?( AAA?)?( \d\.\d\.\d+)?|\bAAA?\b/g,
  /\bEN 301 549, 9(\.\d+)+/g,
  /https?:\/\/\S+|\S+@\S+|(?<!\S)\/\S+|\b127\.0\.0\.1\S*/g,
  ...[new RegExp(monthsOf(MADE_UP).join("|"), "g"), /\bC?ES?T\b|polski|niemiecki|angielski|Ada Beispiel/g, /\b(minut|sekund)\p{L}*/gu],
  // Short name of a run.
  /(?<!\S)[\w-]{8}, /g,
];

/** Further texts of a PDF: markup, selectors, ids of rules, titles of pages, and numbers of EN 301 549. */
const IN_EVERY_PDF = /[<>#/]|^\.?[a-z-]+·?$|^MöbelhausNordlicht$|^(WCAG|axe-core)[\d.]+A*(,rampe[\d.]+)?$|^AAA?9|^\d+listopada|^[\d,]+sekund/;

/** Selector, rule and engine. */
const TECHNICAL_CELL = /^(#logo|image-alt|axe)$/;

const SHOP = "https://shop.example/";
const CARD = { number: "4242 4242 4242 4242", expiry: "12/34", cvc: "123", do: "pay" };
/** Forms that end the session, change the language, or delete something. */
const NOT_TRIED = /logout|locale|scheme|delete|remove|cancel|auth|revoke/;

let product: ReturnType<typeof productWithMadeUpLanguage>;
let site: Site;
let server: TestServer;

beforeAll(async () => {
  product = productWithMadeUpLanguage();
  site = await openDemoSite();
  const port = await freePort();
  server = await startServer({
    program: product.program,
    env: {
      // Development packages are not in the build, and React's development version is slower.
      NODE_ENV: "production",
      ...{ PORT: String(port), BASE_URL: `http://127.0.0.1:${port}`, SCAN_ALLOW_PRIVATE: `127.0.0.1:${site.port}` },
      ...{ OPERATOR_EMAIL: "hilfe@example.org", OPERATOR_VAT: "none" },
    },
  });
});

afterAll(async () => {
  await server?.stop();
  await site?.close();
  product?.remove();
});

test("public pages are complete in a language that is only a folder and a line", async () => {
  const visitor = newVisitor();
  expect(await walk(visitor, ["/", "/sample", "/no/such/page"])).toEqual([]);
});

test("pages of an account, of a purchase, mails and PDF are complete in it", async () => {
  const visitor = newVisitor();
  const person = newPerson();
  await register(visitor, person);
  const setup = await visitor.get("/setup");
  expect(wordsOf(setup)).toEqual([]);
  const order = /name="order" value="([^"]+)"/.exec(setup.text)?.[1] ?? "";
  const checkout = (await visitor.post("/setup", { order, choice: "pro month", way: "checkout", url: site.origin })).location ?? "";
  const payment = await visitor.get(checkout);
  expect(payment.status).toBe(200);
  expect(wordsOf(payment)).toEqual([]);
  expect((await visitor.post(checkout, CARD)).status).toBe(303);
  // The provider's message may arrive later.
  await expect.poll(async () => (await visitor.get("/runs/new")).status, { timeout: 30_000 }).toBe(200);
  const portal = (await visitor.post("/profile/billing", {})).location ?? "";
  const run = await scanned(visitor, { url: site.url("/barriers") });

  expect(await walk(visitor, ["/runs", run, portal, "/profile/general"])).toEqual([]);

  const pdf = pdfText(Buffer.from(await (await fetch(`${server.origin}${run}/export.pdf`, { headers: headersOf(visitor) })).arrayBuffer()));
  expect(pdf.length).toBeGreaterThan(5_000);
  // Colon between a name and its value.
  const words = outsideBrackets(pdf).map((each) => each.replace(/^:/, ""));
  expect(words.filter((each) => !IN_EVERY_PDF.test(each)).filter(inSomeLanguage)).toEqual([]);

  await expect.poll(() => mailsTo(server.dataDir, person.email).length, { timeout: 30_000 }).toBeGreaterThan(0);
  const mails = mailsTo(server.dataDir, person.email);
  expect([pdf, ...mails.map(({ subject, text }) => `${subject} ${text}`)].flatMap(unfilled)).toEqual([]);
  expect(mails.flatMap(({ subject, text }) => outsideBrackets(`${subject}\n${text}`)).filter(inSomeLanguage)).toEqual([]);
});

test("pages of the administration and tables are complete in it, and no cell starts a formula", async () => {
  const db = await server.database();
  const zoe = await newAdministrator(server, { headers: { "Accept-Language": MADE_UP } });
  await db.insertInto("audit_entry").values({ id: "formula", at: Date.now(), action: "administrator_made", actor_id: null, actor: "the command line", subject_id: null, subject: "=1+1", details: "{}" }).execute();
  const { running } = await scansInEveryState(db, zoe.id);
  expect((await zoe.post("/admin/invitations", { email: "bea@example.org", locale: MADE_UP })).status).toBe(303);
  await zoe.post("/contact", { email: "bea@example.org", subject: "?", message: "?" });

  const questions = [`/admin/queue/change?what=cancel&run=${running}`, `/admin/queue/change?what=delete&run=${running}`, `/admin/people/${zoe.id}/delete`];
  expect(await walk(zoe, ["/admin", ...questions], (address) => address.startsWith("/admin/"))).toEqual([]);

  await subscribe(db, zoe, { urls: [SHOP] });
  const violations = [finding("image-alt", { impact: "critical", elementCount: 1, elements: [element({ html: "=1+1" })] })];
  const { id } = await finishedRun(db, [checkedPage({ url: SHOP, findings: { violations, incomplete: [], passes: [], inapplicable: [] } })], { owner: zoe.id, at: Date.now() });
  for (const address of ["/admin/audit-log.csv", `/run/${id}/export.csv`]) {
    const { status, text } = await zoe.get(address);
    expect([address, status]).toEqual([address, 200]);
    const cells = readCsv(text.replace("\uFEFF", ""), ";").flat();
    expect(cells).toContain("'=1+1");
    expect(cells.filter((cell) => cell.startsWith("="))).toEqual([]);
    expect(cells.filter((cell) => !TECHNICAL_CELL.test(cell)).flatMap(outsideBrackets).filter(inSomeLanguage)).toEqual([]);
  }
});

const newVisitor = () => openFormBrowser(server.origin, { "Accept-Language": MADE_UP });

const headersOf = ({ cookies }: FormBrowser) => ({ "Accept-Language": MADE_UP, Cookie: [...cookies].map((pair) => pair.join("=")).join("; ") });

/** Follows links and sends every form empty. @returns untranslated texts with their pages */
async function walk(browser: FormBrowser, starts: string[], isWanted = isPage): Promise<string[]> {
  const pages = new Set(starts);
  const forms = new Set<string>();
  const found = new Map<string, string>();
  const isNew = atMostOfKind();
  const read = (where: string, answer: Answer) => {
    if (!answer.headers.get("content-type")?.startsWith("text/html")) return;
    for (const words of wordsOf(answer)) found.set(words, where);
    const { links, actions } = untranslated(answer.text, MADE_UP);
    for (const link of links) if (isWanted(link) && isNew(link)) pages.add(link);
    for (const action of actions) if (!NOT_TRIED.test(action)) forms.add(action || where);
  };
  for (const page of pages) read(page, await browser.open(page));
  for (const form of forms) read(`${form}, empty`, await browser.post(form, {}));
  return [...found].map(([words, where]) => `${where}: ${words}`);
}

const wordsOf = ({ text }: Answer): string[] => [...untranslated(text, MADE_UP).texts.filter(inSomeLanguage), ...unfilled(text.replace(/<script\b[^]*?<\/script>/g, ""))];

/** Placeholders without a value; GitHub writes its own with a dollar sign. */
const unfilled = (text: string): string[] => text.match(/(?<!\$)\{\{.{0,40}/g) ?? [];

function inSomeLanguage(text: string): boolean {
  const rest = IN_EVERY_LANGUAGE.reduce((left, each) => left.replace(each, ""), text);
  return /\p{L}{2,}/u.test(rest);
}

/** Limits pages of the same kind, which have equal texts: their addresses differ only in numbers, rules, or query values. */
function atMostOfKind(most = 3): (address: string) => boolean {
  const seen = new Map<string, Set<string>>();
  return (address) => {
    const { pathname, searchParams } = new URL(address, server.origin);
    const kind = `${pathname.replace(/\/\d+(?=\/|$)|(?<=\/(violations|incomplete|passes|inapplicable|accept)\/)[\w-]+/g, "/#")} ${[...new Set(searchParams.keys())].sort().join()}`;
    const same = seen.get(kind) ?? new Set();
    seen.set(kind, same);
    if (same.size < most) same.add(address);
    return same.has(address);
  };
}

/** Pages of rules are similar, and their texts are in one file. */
const ONE_OF_MANY = /^\/rules\/(?!rampe-mouse-only$|video-caption$)/;

const isPage = (address: string) => /^\/(?!\/)/.test(address) && !ONE_OF_MANY.test(address) && !NOT_TRIED.test(address) && !/\/export\.|\.(html|txt|json)$/.test(address);

function monthsOf(locale: string): string[] {
  // Some languages write a month differently beside a day.
  const formats = [{ day: "numeric", month: "long" }, { year: "numeric", month: "long" }] as const;
  return formats.flatMap((options) => {
    const format = new Intl.DateTimeFormat(locale, options);
    const months = Array.from({ length: 12 }, (_, month) => format.formatToParts(new Date(2026, month, 2)));
    return months.map((parts) => parts.find(({ type }) => type === "month")?.value ?? "");
  });
}
