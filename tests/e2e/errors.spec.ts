import type { Page } from "@playwright/test";
import { startServer, type TestServer } from "../support/servers/server";
import { breakTable, lockDatabase } from "../support/database/server-database";
import { expect, test } from "./test";

const CASES = [
  { status: 404, kind: "notFound", what: "an address that does not exist", get: "/gibt/es/nicht" },
  { status: 404, kind: "notFound", what: "a result that does not exist", get: "/check/AAAAAAAAAAAAAAAAAAAAAA" },
  { status: 405, kind: "methodNotAllowed", what: "a form sent to a page without one", post: "/bfsg" },
  { status: 422, kind: "unusable", what: "a setting that does not exist", post: "/locale", fields: { locale: "xx" } },
] as const;

for (const { status, kind, what, ...how } of CASES) {
  test.describe(what, () => {
    test.use({ expectedStatuses: [status] });

    test(`is a page with status ${status} in the visitor's language, a reference and a way on`, async ({ page, t }) => {
      const answer = page.waitForResponse((response) => response.status() === status);
      if ("get" in how) await page.goto(how.get);
      else await post(page, how.post, "fields" in how ? how.fields : {});

      const reference = (await answer).headers()["x-request-id"] ?? "none";
      await expect(page.getByRole("heading", { level: 1 })).toHaveText(t(`errors.${kind}.title`));
      await expect(page).toHaveTitle(t("title", { page: t(`errors.${kind}.title`) }));
      await expect(page.getByText(t(`errors.${kind}.text`))).toBeVisible();
      await expect(page.getByText(t("errors.reference", { reference }))).toBeVisible();

      await page.getByRole("link", { name: t("errors.home") }).click();
      await expect(page).toHaveURL("/");
      await expect(page.getByLabel(t("home:form.label"))).toBeVisible();
    });
  });
}

/** Sends an unknown form from one of our pages. */
async function post(page: Page, action: string, fields: Record<string, string>): Promise<void> {
  await page.goto("/");
  await page.evaluate(
    ([action, fields]) => {
      const form = document.createElement("form");
      for (const [name, value] of Object.entries(fields)) form.append(Object.assign(document.createElement("input"), { name, value }));
      document.body.append(form);
      Object.assign(form, { method: "post", action }).submit();
    },
    [action, fields] as const,
  );
}

test.describe("after an internal error", () => {
  test.use({ expectedStatuses: [500] });

  let server: TestServer;
  test.beforeAll(async () => {
    server = await startServer({ browser: false });
    await breakTable(server, "run");
  });
  test.afterAll(() => server.stop());

  test("the visitor sees an error page with a reference that is also in the log", async ({ page, t }) => {
    const answer = await page.goto(`${server.origin}/check/AAAAAAAAAAAAAAAAAAAAAA`);
    expect(answer?.status()).toBe(500);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(t("errors.broken.title"));
    const reference = answer?.headers()["x-request-id"] ?? "none";
    await expect(page.getByText(t("errors.reference", { reference }))).toBeVisible();
    const { level, err } = await server.logged(({ req, err }) => (req as { id?: string })?.id === reference && err !== undefined);
    const { message } = err as { message: string };
    expect([level, message]).toEqual([50, expect.stringContaining("run")]);
    for (const detail of [message, "node_modules"]) expect(await page.content()).not.toContain(detail);
  });
});

test.describe("while another program has the database locked", () => {
  test.use({ expectedStatuses: [503, 422] });
  // A form gets its answer after up to ten seconds.
  test.slow();

  let server: TestServer;
  test.beforeAll(async () => void (server = await startServer({ browser: false })));
  test.afterAll(() => server.stop());

  test("a form that cannot be stored is kept without passwords, and can be sent again with one click", async ({ page, t, person }) => {
    await page.goto(`${server.origin}/register`);
    await page.locator("#name").fill('Ada "Beispiel" <Muster>');
    await page.locator("#email").fill(person.email);
    await page.locator("#password").fill(person.password);
    const unlock = await lockDatabase(server);
    await page.locator("main form.form button[type=submit]").click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(t("errors.storageLocked.title"), { timeout: 30_000 });
    await expect(page.getByText(t("errors.formKept"))).toBeVisible();
    await unlock();
    await page.getByRole("button", { name: t("errors.sendAgain") }).click();
    await expect(page.locator("#name")).toHaveValue('Ada "Beispiel" <Muster>');
    await page.locator("#password").fill(person.password);
    await page.locator("main form.form button[type=submit]").click();
    await expect(page).toHaveURL(/\/setup$/);
    expect(await (await server.database()).selectFrom("user").select("name").execute()).toEqual([{ name: 'Ada "Beispiel" <Muster>' }]);
  });
});
