import type { Db } from "db/schema";
import type { Page } from "@playwright/test";
import { BARRIERS } from "../../support/scan/demo-site";
import { withDatabase } from "../../support/database/server-database";
import { pdfText } from "../../support/reports/pdf-text";
import { CARD, followOnceThere, payWith } from "./pay-with";
import { dataDir, demo, expect, test } from "../test";

const heading = (page: Page) => page.getByRole("heading", { level: 1 });
const PAGE = demo("/barriers");
const SITE = demo("").replace(/\/$/, "");

test.describe("the full report of a free check", () => {
  test.use({ expectedStatuses: [402, 422] });

  test("opens after registering and paying, with nothing typed twice, also after a declined card and going back; its PDF is complete", async ({
    page,
    browser,
    t,
    checked,
    fill,
    press,
    person,
    open,
  }) => {
    await checked(PAGE);
    const check = new URL(page.url()).pathname.split("/")[2] ?? "";
    await followOnceThere(page.getByRole("link", { name: t("check:locked.unlock") }));
    await expect(page).toHaveURL(/check=.*#pricing$/);
    const pro = t("home:pricing.pro.name");
    await page.getByRole("link", { name: t("home:pricing.chooseOnce", { plan: pro }), exact: true }).click();
    await expect(heading(page)).toHaveText(t("account:register.heading"));
    await fill({ ...person });
    await press(t("account:register.submit"));

    const choiceIsThere = async () => {
      await expect(page).toHaveURL(/^[^?]*\/setup\?/);
      expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({ plan: "pro", rhythm: "once", url: PAGE, check });
      await expect(page.getByLabel(t("billing:setup.urlLabel"))).toHaveValue(PAGE);
      await expect(page.locator(".plan-chosen").getByRole("heading")).toHaveText(`${pro} ${t("billing:setup.chosen")}`);
      await expect(page.getByRole("link", { name: t("billing:setup.toResult") })).toHaveAttribute("href", `/check/${check}`);
    };
    await choiceIsThere();
    // The Enter key uses the chosen plan.
    await page.getByLabel(t("billing:setup.urlLabel")).press("Enter");
    await payWith(page, CARD.declined);
    await expect(page.locator(".error-summary, [aria-invalid=true]").first()).toBeVisible();
    await page.locator('button[value="cancel"]').click();
    await choiceIsThere();
    await page.locator(".plan-chosen").getByRole("button").first().click();
    await payWith(page, CARD.accepted);

    await expect(heading(page)).toHaveText(t("billing:done.paid.heading"));
    await expect(page.getByText(t("billing:done.bought.once", { plan: pro }))).toBeVisible();
    await expect(page.getByRole("link", { name: new RegExp(`^(${t("billing:done.scan.open")}|${t("billing:done.scan.openOver")})$`) })).toHaveAttribute("href", /^\/run\//);
    await page.getByRole("link", { name: t("billing:done.report.open") }).click();
    await expect(heading(page)).toContainText(t("report:overview.heading"));
    await expect(page).toHaveURL(`/run/${check}`);

    const pdf = pdfText(await (await page.request.get(`/run/${check}/export.pdf`)).body());
    for (const { mark } of BARRIERS) expect(pdf).toContain(mark);
    const lastLine = t("check:limits.questions", { returnObjects: true }).at(-1) ?? "";
    expect(pdf.endsWith(lastLine.replace(/\s/g, ""))).toBe(true);

    await open("/runs");
    await expect(page.getByRole("table").getByRole("rowheader")).toHaveCount(2);
    await page.goto(`/check/${check}`);
    await expect(page).toHaveURL(`/run/${check}`);
    const friend = await browser.newContext({ javaScriptEnabled: false });
    const friendsPage = await friend.newPage();
    await friendsPage.goto(page.url().replace("/run/", "/check/"));
    await expect(friendsPage.locator(".violation")).toHaveCount(3);
    expect(await friendsPage.content()).not.toContain(BARRIERS.at(-1)?.mark);
    await friend.close();
  });
});

test("a plan chosen on its price card can be bought after logging in", async ({ page, context, t, open, joined, fill, press, person }) => {
  await joined();
  await context.clearCookies();
  await open("/");
  const basic = t("home:pricing.basic.name");
  await page.getByRole("link", { name: t("home:pricing.chooseMonth", { plan: basic }), exact: true }).click();
  await page.getByRole("main").getByRole("link", { name: t("account:register.login") }).click();
  await expect(heading(page)).toHaveText(t("account:login.heading"));
  await fill({ email: person.email, password: person.password });
  await press(t("account:login.submit"));
  await expect(page).toHaveURL("/setup?plan=basic&rhythm=month");
  await page.getByLabel(t("billing:setup.urlLabel")).fill(PAGE);
  await page.locator(".plan-chosen").getByRole("button").first().click();
  await payWith(page, CARD.accepted);
  await expect(page.getByText(t("billing:done.bought.month", { plan: basic }))).toBeVisible();
  await page.getByRole("link", { name: new RegExp(`^(${t("billing:done.scan.open")}|${t("billing:done.scan.openOver")})$`) }).click();
  await expect(page).toHaveURL(/\/run\/[\w-]{22}$/);
  await expect(heading(page)).toBeVisible();
});

test.describe("beyond the limit of a plan", () => {
  test.use({ expectedStatuses: [422] });

  test("a refused scan leads to a purchase, which starts the scan", async ({ page, t, open, subscribed, press, javaScriptEnabled }) => {
    const { id } = await subscribed({ planName: "Rampe Basic", urlLimit: 1, urls: ["https://taken.example/"] });
    const useUpTrial = (db: Db) => db.updateTable("user").set({ trial_scans: 1 }).where("id", "=", id).execute();
    await withDatabase({ dataDir: dataDir() }, useUpTrial);
    await open(`/runs/new?url=${encodeURIComponent(PAGE)}`);
    await press(t("runs:new.submit"));
    // Wait: a click would miss while the page still moves.
    if (javaScriptEnabled) await expect(page.getByRole("alert")).toBeFocused();
    await page.getByRole("link", { name: t("runs:new.more"), exact: true }).click();
    await expect(page.getByLabel(t("billing:setup.urlLabel"))).toHaveValue(PAGE);
    await page.getByRole("button", { name: t("home:pricing.basic.name") }).last().click();
    await payWith(page, CARD.accepted);
    await expect(page.getByRole("heading", { name: t("billing:done.scan.heading") })).toBeVisible();
    await open("/runs");
    await expect(page.getByRole("table").getByRole("rowheader")).toHaveCount(1);
  });
});

test("rules that Basic withholds open as soon as Pro is bought for the website", async ({ page, t, open, subscribed, press }) => {
  const small = demo("/small");
  await subscribed({ plan: "basic", planName: "Rampe Basic", urlLimit: 1, urls: [small] });
  await open(`/runs/new?url=${encodeURIComponent(small)}`);
  await press(t("runs:new.submit"));
  const toPro = page.getByRole("link", { name: t("report:inPro.plans") });
  await expect(page).toHaveURL(/\/run\/[\w-]{22}$/);
  const report = page.url();
  await followOnceThere(toPro);
  await expect(page.getByLabel(t("billing:setup.urlLabel"))).toHaveValue(small);
  await page.locator(".plan-chosen").getByRole("button").last().click();
  await payWith(page, CARD.accepted);
  await expect(page.getByText(t("billing:done.bought.once", { plan: t("home:pricing.pro.name") }))).toBeVisible();
  await expect(page.getByRole("heading", { name: t("billing:done.scan.heading") })).toBeVisible();
  await open(`${report}/violations/target-size`);
  await expect(page.locator("article.violation").first()).toContainText("mark-small");
  await expect(toPro).toHaveCount(0);
});

test("a purchase for a website that cannot be scanned says so, and registers nothing", async ({ page, t, open, joined }) => {
  await joined();
  await open(`/setup?plan=basic&rhythm=once&url=${encodeURIComponent("https://nowhere.invalid/")}`);
  await page.locator(".plan-chosen").getByRole("button").first().click();
  await payWith(page, CARD.accepted);
  const failed = page.getByText(t("billing:done.scan.failed", { host: "nowhere.invalid" }));
  await expect(async () => {
    if (!(await failed.isVisible())) await page.reload();
    await expect(failed).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await expect(page.getByText(t("billing:done.bought.for", { host: "nowhere.invalid" }))).toHaveCount(0);
  await page.getByRole("link", { name: t("billing:done.scan.again") }).click();
  await expect(page.getByLabel(t("runs:new.url"), { exact: true })).toHaveValue("https://nowhere.invalid/");
});

test("a plan with room unlocks a free result without another purchase", async ({ page, t, subscribed, checked, press, open }) => {
  await subscribed();
  await checked(PAGE);
  const check = new URL(page.url()).pathname.split("/")[2] ?? "";
  await followOnceThere(page.getByRole("link", { name: t("check:locked.unlock") }));
  await press(t("billing:unlock.submit"));
  await expect(page).toHaveURL(`/run/${check}`);
  await expect(heading(page)).toContainText(t("report:overview.heading"));
  await open("/profile/urls");
  await expect(page.getByText(SITE, { exact: true }).first()).toBeVisible();
});
