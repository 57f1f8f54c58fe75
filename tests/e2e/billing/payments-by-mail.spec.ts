import { mailsTo } from "../../support/servers/outbox";
import { CARD, followOnceThere, payWith } from "./pay-with";
import { dataDir, demo, expect, test } from "../test";

const site = demo("").replace(/\/$/, "");

test("a plan ordered by invoice is active once the invoice is paid", async ({ page, t, open, joined, press, person }) => {
  await joined();
  await open(`/setup?url=${encodeURIComponent(demo("/"))}`);
  await page.getByLabel(t("billing:setup.ways.invoice.label")).check();
  await page.getByRole("button", { name: t("home:pricing.pro.name") }).first().click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(t("billing:invoice.heading"));
  await expect(page.getByRole("main")).toContainText(person.email);
  await press(t("billing:invoice.submit"));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(t("billing:done.invoice.heading"));

  for (const place of ["/setup", "/profile/general"]) {
    await open(place);
    await expect(page.getByRole("heading", { name: t("billing:invoices.heading", { count: 1 }) })).toBeVisible();
  }
  const invoices = () => mailsTo(dataDir(), person.email).filter(({ link }) => link.includes("/cashier/invoice/"));
  await expect.poll(() => invoices().length).toBe(1);
  await page.goto(invoices()[0]?.link ?? "");
  await payWith(page, CARD.accepted);
  await expect(async () => {
    await open("/profile/general");
    await expect(page.getByText(t("billing:purchases.usedUrls", { current: 1, limit: 5, count: 5 }))).toBeVisible({ timeout: 500 });
  }).toPass();
  await expect(page.getByRole("heading", { name: t("billing:invoices.heading", { count: 1 }) })).toHaveCount(0);
  await open("/profile/urls");
  await expect(page.getByText(site, { exact: true })).toBeVisible();
});

test("a checkout link sent by mail can be paid in another browser, and unlocks its result", async ({ page, t, joined, checked, mail }) => {
  await joined();
  await checked(demo("/barriers"));
  const check = new URL(page.url()).pathname.split("/")[2] ?? "";
  await followOnceThere(page.getByRole("link", { name: t("check:locked.unlock") }));
  await page.getByLabel(t("billing:setup.ways.link.label")).check();
  await page.getByRole("button", { name: t("home:pricing.basic.name") }).last().click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(t("billing:done.link.heading"));
  await page.goto((await mail("payment_link_once")).link);
  await payWith(page, CARD.accepted);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(t("billing:done.paid.heading"));
  await expect(page.getByRole("link", { name: t("billing:done.report.open") })).toHaveAttribute("href", `/run/${check}`);
});
