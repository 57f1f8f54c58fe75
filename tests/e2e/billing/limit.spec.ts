import { startServer, type TestServer } from "../../support/servers/server";
import { expect, test } from "../test";

test.describe("a visitor over the rate limit", () => {
  test.use({ expectedStatuses: [429] });

  let server: TestServer;
  test.beforeAll(async () => {
    server = await startServer({ browser: false, env: { FREE_CHECKS_PER_HOUR: "2" } });
  });
  test.afterAll(() => server.stop());

  test("sees when the next check is possible, and the typed address is kept", async ({ page, t, open, check, request }) => {
    for (const path of ["/one", "/two"]) {
      const form = { url: `https://nowhere.invalid${path}` };
      const answer = await request.post(`${server.origin}/?index`, { form, maxRedirects: 0 });
      expect(answer.status()).toBe(303);
    }

    await open(`${server.origin}/`);
    const answer = page.waitForResponse((response) => response.request().method() === "POST");
    await check("https://nowhere.invalid/three");
    expect((await answer).status()).toBe(429);
    const seconds = Number((await answer).headers()["retry-after"]);
    expect(seconds).toBeGreaterThan(3_500);
    expect(seconds).toBeLessThanOrEqual(3_600);

    const sentence = t("home:limit", { count: 2, wait: "WAIT" }).replace("WAIT", "(60|59) \\p{L}+");
    await expect(page.getByRole("alert").getByRole("heading")).toHaveText(t("home:limitHeading"));
    await expect(page.getByRole("alert").getByRole("listitem")).toHaveText(new RegExp(`^${sentence}$`, "u"));
    await expect(page.getByLabel(t("home:form.label"))).toHaveValue("https://nowhere.invalid/three");
  });
});
