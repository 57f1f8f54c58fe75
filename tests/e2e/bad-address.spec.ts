import { demo, expect, inShort, test } from "./test";

test.describe("an address that cannot be checked", () => {
  test.use({ expectedStatuses: [422] });

  test("has an error in the summary and at the field, and stays in the field", { tag: "@core" }, async ({ page, t, open, check, language, javaScriptEnabled }) => {
    await open("/");
    const answer = page.waitForResponse((response) => response.request().method() === "POST");
    await check("kein Ort");
    expect((await answer).status()).toBe(422);

    const message = t("home:address.not_an_address");
    const summary = page.getByRole("alert");
    await expect(summary.getByRole("heading")).toHaveText(t("form.summary", { count: 1 }));
    await expect(summary.getByRole("link")).toHaveText(message);
    if (javaScriptEnabled) await expect(summary).toBeFocused();
    await expect(page).toHaveTitle(language === "de" ? /^Fehler: / : /^Error: /);

    const field = page.getByLabel(t("home:form.label"));
    await expect(field).toHaveValue("kein Ort");
    await expect(field).toHaveAttribute("aria-invalid", "true");
    await expect(field).toHaveAccessibleDescription(`${t("form.errorPrefix")} ${message} ${t("home:form.hint")}`);

    await summary.getByRole("link").click();
    await expect(field).toBeFocused();
    if (!javaScriptEnabled) await expect(page).toHaveURL(/#url$/);
    await expect(summary.getByRole("link"), "what is wrong is still said there").toHaveText(message);
    await expect(field).toHaveAttribute("aria-invalid", "true");
  });

  test("can be corrected", async ({ page, t, open, check, answered }) => {
    await open("/");
    await check("kein Ort");
    await expect(page.getByRole("alert")).toBeVisible();
    await check("ftp://example.com");
    await expect(page.getByRole("alert").getByRole("link")).toHaveText(t("home:address.scheme"));
    await expect(page.getByLabel(t("home:form.label"))).toHaveValue("ftp://example.com");
    await check(demo("/clean"));
    await answered();
    await expect(page).toHaveTitle(t("title", { page: t("check:result.title", { host: inShort("/clean") }) }));
  });

  test("causes no error for a visitor who comes back later", async ({ page, t, open, check }) => {
    await open("/");
    await check("kein Ort");
    await expect(page.getByRole("alert")).toBeVisible();
    await open("/");
    await expect(page.getByRole("alert")).toHaveCount(0);
    await expect(page.getByLabel(t("home:form.label"))).not.toHaveAttribute("aria-invalid");
    await expect(page).toHaveTitle(t("title", { page: t("home:title") }));
  });
});
