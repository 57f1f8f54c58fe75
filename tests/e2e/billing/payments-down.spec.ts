import { setCashier } from "../../support/billing/cashier-store";
import { freePort } from "../../support/servers/free-port";
import { startServer, type TestServer } from "../../support/servers/server";
import { CARD, payWith } from "./pay-with";
import { demo, expect, test as base } from "../test";

interface Down {
  /** Makes the provider answer every request with an error, or ends that. */
  provider(is: "down" | "up"): void;
}

/** Separate server: other tests need a working provider. */
const test = base.extend<Down, { server: TestServer }>({
  server: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern what a fixture needs.
    async ({}, use) => {
      const port = await freePort();
      // Reachable website: one whose first scan fails would use no slot.
      const reachable = { SCAN_ALLOW_PRIVATE: new URL(demo("/")).host };
      const env = { PORT: String(port), BASE_URL: `http://127.0.0.1:${port}`, TRIAL_SCANS: "1", TRUST_PROXY: "1", ...reachable };
      const server = await startServer({ env });
      await use(server);
      await server.stop();
    },
    { scope: "worker" },
  ],
  baseURL: ({ server }, use) => use(server.origin),
  provider: ({ server }, use) => use((is) => setCashier(server, is)),
});

test.use({ expectedStatuses: [500, 503] });

test("with the provider down, each step says so, leaves no partial order, and a retry completes it", async ({ page, t, open, joined, provider, press }) => {
  await joined();
  const heading = page.getByRole("heading", { level: 1 });
  const buy = () => page.getByRole("button", { name: t("home:pricing.pro.name") }).first().click();
  const unavailable = page.getByRole("heading", { name: t("billing:problem.unavailable.heading") });

  await open("/setup");
  await page.getByLabel(t("billing:setup.urlLabel")).fill(demo("/"));
  provider("down");
  await buy();
  await expect(unavailable).toBeVisible();
  await expect(page.getByLabel(t("billing:setup.urlLabel"))).toHaveValue(demo("/"));
  provider("up");
  await buy();
  await expect(page).toHaveURL(/\/cashier\/pay\//);
  const checkout = page.url();

  provider("down");
  await payWith(page, CARD.accepted);
  await expect(heading).toHaveCount(1);
  provider("up");
  await page.goto(checkout);
  await payWith(page, CARD.accepted);
  await expect(heading).toHaveText(t("billing:done.paid.heading"));
  const done = page.url();

  provider("down");
  await open(done);
  await expect(heading).toHaveText(t("billing:done.unknown.heading"));
  await open("/profile/general");
  await expect(page.getByText(t("billing:purchases.usedUrls", { current: 1, limit: 5, count: 5 }))).toBeVisible();
  await press(t("billing:purchases.portal"));
  await expect(page.getByText(t("common:flash.portalUnavailable"))).toBeVisible();
  provider("up");
  await press(t("billing:purchases.portal"));
  await expect(page).toHaveURL(/\/cashier\/portal\//);

  await open("/setup");
  await page.getByLabel(t("billing:setup.ways.invoice.label")).check();
  await page.getByRole("button", { name: t("home:pricing.basic.name") }).last().click();
  await expect(heading).toHaveText(t("billing:invoice.heading"));
  provider("down");
  await press(t("billing:invoice.submit"));
  await expect(unavailable).toBeVisible();
  provider("up");
  await press(t("billing:invoice.submit"));
  await expect(heading).toHaveText(t("billing:done.invoice.heading"));
  await open("/setup");
  await expect(page.getByText(t("billing:invoices.pay"))).toHaveCount(1);
});
