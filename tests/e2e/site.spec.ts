import { mailsTo } from "../support/servers/outbox";
import { dataDir, expect, openMenu, test } from "./test";

test.use({ expectedStatuses: [422] });

test("a message can be written, corrected and sent", { tag: "@core" }, async ({ page, t, open, press, person, javaScriptEnabled }) => {
  await open("/contact");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(t("contact:heading"));
  await page.getByLabel(t("contact:field.message")).fill("Guten Tag,\n\nich habe eine Frage.");
  await press(t("contact:submit"));

  const summary = page.getByRole("alert");
  await expect(summary.getByRole("link")).toHaveText([t("contact:problem.email_missing"), t("contact:problem.subject_missing")]);
  if (javaScriptEnabled) await expect(summary).toBeFocused();
  await summary.getByRole("link").first().click();
  await expect(page.getByLabel(t("contact:field.email"))).toBeFocused();
  await expect(page.getByLabel(t("contact:field.message"))).toHaveValue("Guten Tag,\n\nich habe eine Frage.");

  await page.getByLabel(t("contact:field.email")).fill(person.email);
  await page.getByLabel(t("contact:field.subject")).fill("Eine Frage");
  await press(t("contact:submit"));
  await expect(page).toHaveURL("/contact?sent");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(t("contact:sent.heading"));
});

test("keyboards and screen readers do not reach the honeypot field", async ({ page, t, open }) => {
  await open("/contact");
  const honeypot = page.locator("#homepage");
  await expect(honeypot).toBeHidden();
  await expect(page.getByRole("textbox")).toHaveCount(3);
  await page.getByLabel(t("contact:field.message")).focus();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: t("contact:submit") })).toBeFocused();
});

test("the page about the law leads to the self-check, and to a result with reasons", async ({ page, t, open }) => {
  await open("/bfsg");
  await page.getByRole("link", { name: t("law:check.link") }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(t("law:check.heading"));
  const choose = (question: "offer" | "audience" | "staff" | "money", label: string) =>
    page.getByRole("group", { name: t(`law:check.question.${question}.legend`) }).getByRole("radio", { name: label, exact: true }).check();

  await choose("offer", t("law:check.question.offer.answer.contract"));
  await choose("audience", t("law:check.question.audience.answer.consumers"));
  await page.getByRole("button", { name: t("law:check.submit") }).click();
  const missing = page.getByRole("alert").getByRole("link");
  await expect(missing).toHaveCount(2);
  await missing.first().click();
  await expect(page.locator("#staff")).toBeFocused();
  await expect(page.getByRole("radio", { name: t("law:check.question.offer.answer.contract") })).toBeChecked();

  await choose("staff", t("law:check.question.staff.answer.few"));
  await choose("money", t("law:check.question.money.answer.small"));
  await page.getByRole("button", { name: t("law:check.submit") }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(t("law:check.verdict.exempt.heading"));
  await expect(page.getByText(t("law:check.reason.micro"))).toBeVisible();
  await expect(page.getByText(t("law:check.noAdvice"))).toBeVisible();
  await expect(page).toHaveURL(/offer=contract&audience=consumers&staff=few&money=small/);

  await choose("staff", t("law:check.question.staff.answer.many"));
  await page.getByRole("button", { name: t("law:check.submit") }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(t("law:check.verdict.covered.heading"));
  await page.goBack();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(t("law:check.verdict.exempt.heading"));
  const few = page.getByRole("radio", { name: t("law:check.question.staff.answer.few"), exact: true });
  await expect(few, "the form has the answers that the page is about").toBeChecked();
});

test("the link to the prices moves the keyboard focus there", async ({ page, t, open, javaScriptEnabled }) => {
  for (const path of ["/bfsg", "/"]) {
    await open(path);
    await openMenu(page);
    await page.getByRole("navigation", { name: t("nav.label") }).getByRole("link", { name: t("nav.pricing") }).focus();
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL("/#pricing");
    await expect(page.locator("#pricing")).toBeInViewport();
    if (javaScriptEnabled) await expect(page.locator("#pricing")).toBeFocused();
    await page.keyboard.press("Tab");
    await expect(page.locator("#pricing :focus")).toHaveCount(1);
  }
});

for (const law of ["bfsg", "eaa", "wcag"] as const) {
  test(`the page about ${law} names dates, affected people, the date of its last check, and its sources`, async ({ page, t, open }) => {
    await open(`/${law}`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(t(`law:${law}.heading`));
    const events = page.locator(".timeline > li");
    await expect(events).toHaveCount(t(`law:${law}.timeline.events`, { returnObjects: true }).length);
    for (const time of await events.locator("time").all()) await expect(time).toHaveAttribute("datetime", /^\d{4}-\d\d(-\d\d)?$/);
    await expect(page.getByText(t("law:noAdvice"))).toBeVisible();
    await expect(page.locator("time[datetime='2026-11']")).toBeVisible();
    for (const link of await page.getByRole("navigation", { name: t("law:onThisPage") }).getByRole("link").all()) {
      await expect(page.locator((await link.getAttribute("href")) ?? "none")).toBeVisible();
    }
    const links = page.locator(".link-list a");
    await expect(links).toHaveCount(t(`law:${law}.resources.links`, { returnObjects: true }).length);
  });
}

test("a barrier can be reported from our accessibility statement", async ({ page, t, open }) => {
  await open("/accessibility");
  await page.getByRole("main").locator("a[href$='?topic=barrier']").click();
  await expect(page.getByLabel(t("contact:field.subject"))).toHaveValue(t("contact:topic.barrier.subject"));
});

test("without a recipient for messages, no mail is sent, and the page says so", async ({ page, t, open }) => {
  await open("/contact");
  await expect(page.getByText(t("contact:nobody"))).toBeVisible();
  expect(mailsTo(dataDir(), "office@example.org")).toEqual([]);
});
