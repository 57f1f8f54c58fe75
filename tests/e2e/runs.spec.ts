import type { Page } from "@playwright/test";
import { BARRIERS } from "../support/scan/demo-site";
import { minutes } from "../support/patience";
import { expectMainWalk, expectWholeWalk } from "./focus-walk";
import { expectFit } from "./overflow";
import { demo, expect, inShort, test as base } from "./test";

interface Scans {
  /** Requests a scan of one page by the form. */
  order(address: string): Promise<void>;
  /** Waits for the report; without scripts by reloads. @returns its path */
  report(): Promise<string>;
}

const test = base.extend<Scans>({
  order: ({ page, t, press }, use) =>
    use(async (address) => {
      await page.getByLabel(t("runs:new.url"), { exact: true }).fill(address);
      await page.getByRole("radio", { name: t("runs:scope.page") }).check();
      await press(t("runs:new.submit"));
    }),

  report: ({ page, t, javaScriptEnabled }, use) =>
    use(async () => {
      const overview = heading(page).filter({ hasText: t("report:overview.heading") });
      await expect(async () => {
        if (javaScriptEnabled === false) await page.reload();
        await expect(overview).toBeVisible({ timeout: javaScriptEnabled === false ? 500 : 20_000 });
      }).toPass({ timeout: minutes(1.5) });
      return new URL(page.url()).pathname;
    }),
});

const heading = (page: Page) => page.getByRole("heading", { level: 1 });
const rules = (page: Page) => page.locator("a.rule-name");
const rows = (page: Page) => page.getByRole("table").getByRole("rowheader");

test("a first scan leads from the empty list to an element; it can be deleted and restored", async ({ page, t, open, subscribed, order, report, press, asked, javaScriptEnabled }) => {
  await subscribed();
  await open("/runs");
  await expect(page.getByRole("heading", { name: t("runs:list.empty.heading") })).toBeVisible();
  await page.getByRole("link", { name: t("runs:list.empty.action") }).click();
  await asked(t("runs:new.heading"));

  const address = demo("/slow?seconds=3");
  await order(address);
  await expect(heading(page)).toHaveText(t("report:progress.heading", { host: inShort("/slow") }));
  await expect(page.getByText(t(javaScriptEnabled === false ? "report:progress.manual" : "report:progress.live"))).toBeVisible();
  await expect(page.getByRole("link", { name: t("report:progress.refresh") })).toBeVisible();
  const path = await report();

  await expect(rules(page)).toHaveCount(5);
  await rules(page).first().click();
  await expect(page).toHaveURL(`${path}/violations/image-alt`);
  await expect(page.getByRole("heading", { name: t("report:rule.places.violations") })).toBeVisible();
  await page.getByRole("link", { name: `${t("report:group.place", { number: 1 })} /slow?seconds=3`, exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`${path}/violations/image-alt/\\d+/\\d+$`));
  await expect(page.locator("code").filter({ hasText: "mark-picture" }).first()).toBeVisible();
  const opens = page.getByRole("link", { name: t("report:element.open") });
  expect(await opens.getAttribute("href")).toMatch(new RegExp(`^${address.replace("?", "\\?")}(#|$)`));

  await open(`${path}/share`);
  await press(t("history:share.submit"));
  const link = await page.getByLabel(t("history:share.link"), { exact: true }).inputValue();
  await open(`${path}/share`);
  await press(t("history:share.remove"));
  await expect(page.getByText(t("common:flash.linkTakenBack"))).toBeVisible();
  expect((await page.request.get(link)).status()).toBe(404);

  await page.getByRole("link", { name: t("history:backToReport") }).click();
  await page.getByRole("link", { name: t("report:frame.allRuns") }).click();
  await expect(rows(page)).toHaveCount(1);
  await page.getByRole("link", { name: new RegExp(`^${t("runs:table.delete")} .*slow`) }).click();
  await asked(t("runs:delete.heading", { count: 1 }));
  await press(t("runs:delete.submit", { count: 1 }));
  await expect(page).toHaveURL("/runs");
  await expect(page.getByText(t("runs:list.removed", { count: 1, minutes: 10 }))).toBeVisible();
  await press(t("runs:list.undo"));
  await expect(page.getByText(t("common:flash.runsRestored"))).toBeVisible();
  await expect(rows(page)).toHaveCount(1);
});

test("a scan can be started, its report downloaded, and the list filtered", async ({ page, t, open, subscribed, order, report, press }) => {
  await subscribed();
  await open("/runs/new");
  await order(demo("/barriers"));
  const path = await report();
  const actions = page.getByRole("navigation", { name: t("report:actions.label") });
  const menu = actions.getByText(t("report:actions.menu"), { exact: true });
  if (await menu.isVisible()) await menu.click();
  await actions.getByText(t("report:actions.export"), { exact: true }).click();
  await expect(page.getByRole("link", { name: t("report:passOn.csv.name") })).toHaveAttribute("href", `${path}/export.csv`);
  expect((await page.request.get(`${path}/export.csv`)).headers()["content-type"]).toContain("text/csv");
  await open(`${path}/violations`);
  await expect(rules(page)).toHaveCount(BARRIERS.length);

  await open("/runs");
  await expect(rows(page)).toHaveCount(1);
  await page.getByLabel(t("runs:filter.text")).fill("nirgends");
  await press(t("runs:filter.apply"));
  await expect(page.getByText(t("runs:list.noMatch"))).toBeVisible();
  await page.getByRole("link", { name: t("runs:filter.reset") }).click();
  await expect(rows(page)).toHaveCount(1);
});

test("the rules of a report can be filtered", { tag: "@core" }, async ({ page, t, open, press }) => {
  await open("/sample/violations");
  const all = await rules(page).count();
  expect(all).toBeGreaterThan(10);
  await page.getByLabel(t("report:filter.impact")).selectOption("serious");
  await page.getByLabel(t("report:filter.text")).fill("contrast");
  await press(t("report:filter.apply"));
  await expect(page).toHaveURL(/impact=serious/);
  await expect(page.getByLabel(t("report:filter.text"))).toHaveValue("contrast");
  await expect.poll(() => rules(page).count()).toBeLessThan(all);
  expect(await rules(page).count()).toBeGreaterThan(0);
  await page.getByRole("link", { name: t("report:filter.reset") }).click();
  await expect(rules(page)).toHaveCount(all);
});

test("a scan can be started on the profile, and canceled while it runs", async ({ page, t, open, subscribed, order, press, asked }) => {
  await subscribed();
  await open("/profile/general");
  await page.getByRole("link", { name: t("runs:list.new") }).click();
  await asked(t("runs:new.heading"));
  await order(demo("/silent"));
  await expect(page.getByRole("button", { name: t("report:progress.cancel") })).toBeVisible();
  await press(t("report:progress.cancel"));
  await expect(page.getByText(t("common:flash.runCanceled"))).toBeVisible();
  await open("/runs");
  await expect(page.getByRole("table").getByText(t("runs:status.canceled"))).toBeVisible();
});

test("a website can be removed once in a period, after a page that explains the effect; a failed first scan uses no slot", async ({ page, t, open, subscribed, order, press, asked, javaScriptEnabled }) => {
  const remove = (host: string) => page.getByRole("link", { name: new RegExp(`^${t("billing:urls.remove")}.*${host}$`) });
  await subscribed();
  await open("/profile/urls");
  for (const host of ["one.example.org", "two.example.org"]) {
    await page.getByLabel(t("billing:urls.label"), { exact: true }).fill(host);
    await press(t("billing:urls.add"));
    await expect(remove(host)).toBeVisible();
  }
  await expect(page.getByText(t("billing:urls.places", { used: 2, limit: 5, free: 3, count: 5 }))).toBeVisible();
  await remove("one.example.org").click();
  await asked(t("billing:removal.heading", { host: "one.example.org" }));
  await expect(page.getByText(t("billing:removal.once"))).toBeVisible();
  await press(t("billing:removal.submit"));
  await expect(page.getByText(t("common:flash.urlRemoved"))).toBeVisible();
  await expect(page.getByText(t("billing:urls.places", { used: 1, limit: 5, free: 4, count: 5 }))).toBeVisible();
  await remove("two.example.org").click();
  await asked(t("billing:removal.impossible", { host: "two.example.org" }));
  await expect(page.getByText(t("billing:urls.too_soon"))).toBeVisible();

  await open("/runs/new");
  await page.getByRole("link", { name: "two.example.org", exact: true }).click();
  await expect(page.getByLabel(t("runs:new.url"), { exact: true })).toHaveValue("https://two.example.org/");
  await order(demo("/nothing"));
  await expect(async () => {
    if (javaScriptEnabled === false) await page.reload();
    await expect(page.getByText(t("report:failure.freed"))).toBeVisible({ timeout: javaScriptEnabled === false ? 500 : 20_000 });
  }).toPass({ timeout: minutes(1.5) });
  await open("/profile/urls");
  await expect(page.getByText(t("billing:urls.places", { used: 1, limit: 5, free: 4, count: 5 }))).toBeVisible();
});

test.describe("a report", () => {
  // Without animation: the page would still scroll to the focused control.
  test.use({ contextOptions: { reducedMotion: "reduce" } });

  test("can be tabbed through in reading order with visible focus, and fits on 320 px, also with long words", async ({ page, t, open, subscribed, order, report, press }) => {
    await subscribed();
    await open("/runs/new");
    await expectWholeWalk(page, "a new run");
    await order(demo("/barriers"));
    const path = await report();
    await open(path);
    await expectWholeWalk(page, path);
    await open(`${path}/violations/image-alt`);
    const element = (await page.locator(`a[href^="${path}/violations/image-alt/"]`).first().getAttribute("href")) ?? "";
    const parts = ["violations", "violations/image-alt", "violations/color-contrast", "incomplete", "passes", "criteria", "pages"].map((part) => `${path}/${part}`);
    // Header and footer are the same as in the previous walks.
    for (const address of ["/runs", path, ...parts, element, `/runs/delete?run=${path.split("/")[2]}`]) {
      await open(address);
      await expectMainWalk(page, address);
      await expectFit(page, address);
    }

    const long = "Donaudampfschifffahrt".repeat(20);
    await page.setViewportSize({ width: 320, height: 568 });
    await open(element.replace("/violations/", "/notes/violations/"));
    await page.locator("#note").fill(long);
    await press(t("acceptance:note.submit"));
    await expect(page.locator("bdi", { hasText: long })).toBeVisible();
    await expectFit(page, "notes");
    await open(element);
    await expectFit(page, "an element with a note");

    await open(element.replace("/violations/", "/accept/"));
    await page.locator("[name=kind][value=not_a_barrier]").check();
    await page.locator("#reason").fill(long);
    await press(t("acceptance:submit"));
    await expect(page.locator("bdi", { hasText: long })).toBeVisible();
    await expectFit(page, "what is accepted");
    await open(element);
    await expectFit(page, "an accepted element");
  });
});
