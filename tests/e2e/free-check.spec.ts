import { BARRIERS, DOUBT } from "../support/scan/demo-site";
import { minutes } from "../support/patience";
import { demo, expect, inShort, test } from "./test";

const SHOWN = BARRIERS.slice(0, 3);
const LOCKED = BARRIERS.slice(3);
const ELEMENTS = BARRIERS.reduce((sum, { elements }) => sum + elements, 0);

test("a free check of an address shows the violations of that page", { tag: "@core" }, async ({ page, t, checked }) => {
  await checked(demo("/barriers"));

  await expect(page).toHaveURL(/\/check\/[\w-]{22}$/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(t("check:result.heading", { host: inShort("/barriers") }));
  await expect(page.getByRole("main").locator(".lead").first()).toHaveText(
    t("check:result.summary", {
      count: BARRIERS.length,
      problems: t("check:result.problems", { count: BARRIERS.length }),
      places: t("check:result.places", { count: ELEMENTS }),
    }),
  );
  await expect(page.locator(".tile")).toHaveText([
    `${t("check:counts.violations")}${BARRIERS.length} ${t("check:counts.rulesWord", { count: BARRIERS.length })}`,
    `${t("check:counts.incomplete")}1 ${t("check:counts.rulesWord", { count: 1 })}`,
    new RegExp(`^${t("check:counts.passes")}[1-9]`),
    new RegExp(`^${t("check:counts.inapplicable")}[1-9]`),
  ]);
  await expect(page.locator(".by-impact li")).toHaveText([`4 ${t("impact.critical")}`, `3 ${t("impact.serious")}`]);
  await expect(page.locator(".violation")).toHaveCount(SHOWN.length);
  await expect(page.locator("section[aria-labelledby=locked] .rule-list > li")).toHaveCount(LOCKED.length);
});

test("the first response to the form is already the result", { tag: "@plain" }, async ({ page, open, check }) => {
  await open("/");
  const documents: string[] = [];
  page.on("response", (response) => {
    if (response.request().isNavigationRequest()) documents.push(`${response.status()} ${new URL(response.url()).pathname}`);
  });
  await check(demo("/barriers"));
  await expect(page.locator(".violation")).toHaveCount(SHOWN.length);
  expect(documents).toEqual(["303 /", `200 ${new URL(page.url()).pathname}`]);
});

test("the three worst rules are shown in full: in plain words, and for development with element, code and fix", async ({ page, t, checked }) => {
  await checked(demo("/barriers"));
  for (const [index, { ruleId, mark, elements }] of SHOWN.entries()) {
    const violation = page.locator(".violation").nth(index);
    await expect(violation.getByText(t("check:result.elements", { count: elements }))).toBeVisible();
    await expect(violation.getByRole("heading", { level: 3 })).not.toBeEmpty();
    await expect(violation.locator(".places > li").first()).toContainText(/\S/);
    await expect(violation.locator(".who")).toBeVisible();
    await expect(violation.locator(".before-after, .color-options")).toBeVisible();
    await expect(violation.getByText(ruleId, { exact: true })).toBeHidden();
    await violation.getByText(t("check:development.summary")).click();
    await expect(violation.getByText(ruleId, { exact: true })).toBeVisible();
    await expect(violation.locator(".element-target").first()).toContainText(/\S/);
    await expect(violation.locator(".element-code").first()).toContainText(mark);
    await expect(violation.locator(".fixes li").first()).not.toBeEmpty();
    const more = violation.getByRole("link", { name: t("check:violations.learnMore") });
    await expect(more).toHaveAttribute("href", `/rules/${ruleId}`);
  }
});

test("of many elements the first twenty are listed, the others are counted", async ({ page, t, checked }) => {
  await checked(demo("/barriers"));
  const pictures = page.locator(".violation").first();
  await expect(pictures.locator(".places > li")).toHaveCount(3);
  await expect(pictures.getByText(t("check:place.more", { count: 20 }))).toBeVisible();
  await pictures.getByText(t("check:development.summary")).click();
  await expect(pictures.locator(".element:visible")).toHaveCount(20);
  await expect(pictures.getByText(t("check:violations.more", { count: 3 }))).toBeVisible();
});

test("each picture of a place is shown, and only to whoever has the link", async ({ page, checked }) => {
  const pictures = page.locator(".place-picture, .with-picture img");
  // On a busy machine, the time for pictures may end before the first one.
  await expect(async () => {
    await checked(demo("/barriers"));
    expect(await pictures.count()).toBeGreaterThan(0);
  }).toPass({ timeout: minutes(1.5) });
  const addresses = await pictures.evaluateAll((images) => images.map((image) => (image as HTMLImageElement).src));
  for (const address of addresses) {
    const answer = await page.request.get(address);
    expect([answer.status(), answer.headers()["content-type"]]).toEqual([200, "image/webp"]);
  }
  const [first = ""] = addresses;
  expect((await page.request.get(first.replace(/\/\d+$/, "/3"))).status()).toBe(404);
  expect((await page.request.get(first.replace(/check\/[\w-]+/, "check/AAAAAAAAAAAAAAAAAAAAAA"))).status()).toBe(404);
});

test("the other violated rules are named; their details do not leave the server", async ({ page, t, checked }) => {
  await checked(demo("/barriers"));
  const locked = page.locator("section[aria-labelledby=locked]");
  await expect(locked.locator(".rule-name")).toHaveText(LOCKED.map(() => /\S/));
  await expect(locked.getByRole("link", { name: t("check:locked.unlock") })).toHaveAttribute("href", /^\/\?url=.*&check=[\w-]{22}#pricing$/);

  // Page with its data for scripts, and requests of scripts.
  for (const address of [page.url(), `${page.url()}.data`]) {
    const answer = await (await page.request.get(address)).text();
    for (const { mark } of SHOWN) expect(answer).toContain(mark);
    for (const { mark } of [...LOCKED, DOUBT]) expect(answer).not.toContain(mark);
    for (const { ruleId } of LOCKED) expect(answer).not.toMatch(new RegExp(`dequeuniversity\\.com/[^"]*/${ruleId}`));
  }
});

test("a page without findings is not called accessible", async ({ page, t, checked }) => {
  await checked(demo("/clean"));
  await expect(page.getByText(t("check:result.summary", { count: 0, problems: "", places: "" }))).toBeVisible();
  await expect(page.getByText(t("check:violations.none"))).toBeVisible();
  await expect(page.getByText(t("check:limits.text"))).toBeVisible();
  await expect(page.getByText(t("check:gaps.scope"))).toBeVisible();
  await expect(page.locator(".violation, section[aria-labelledby=locked]")).toHaveCount(0);
});

test("a result says what was checked, and when", async ({ page, t, checked }) => {
  await checked(demo("/moved"));
  const facts = page.locator("section[aria-labelledby=checked]");
  await expect(facts.getByRole("link", { name: demo("/moved") })).toBeVisible();
  await expect(facts.getByText(t("common:address.reached", { url: demo("/clean") }))).toBeVisible();
  await expect(facts.getByText("Harbour Library")).toHaveAttribute("lang", "en");
  await expect(facts.getByText("WCAG 2.2 AA")).toBeVisible();
  await expect(facts.getByText(/^axe-core \d/)).toBeVisible();
  await expect(facts.locator("time")).toHaveCount(2);
});

test("the link opens the result for everyone, and search engines do not index it", async ({ page, checked, browser }) => {
  await checked(demo("/barriers"));
  const friend = await browser.newContext({ javaScriptEnabled: false });
  const friendsPage = await friend.newPage();
  const answer = await friendsPage.goto(page.url());
  await expect(friendsPage.locator(".violation")).toHaveCount(SHOWN.length);
  expect(answer?.headers()["x-robots-tag"]).toBe("noindex");
  await friend.close();
});

test("common variants of an address are accepted", async ({ page, checked }) => {
  await checked(`  ${new URL(demo("/")).host} /clean `);
  await expect(page.locator("section[aria-labelledby=checked]").getByRole("link", { name: demo("/clean") })).toBeVisible();
});

const FAILURES = [
  { path: "/nothing", reason: "not_found", detail: { httpStatus: 404 } },
  { path: "/flyer.pdf", reason: "not_html", detail: { contentType: "application/pdf" } },
] as const;

for (const { path, reason, detail } of FAILURES) {
  test(`a page that cannot be checked says why (${reason}) and what to try`, async ({ page, t, checked }) => {
    await checked(demo(path));
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(t("check:failure.heading.page"));
    await expect(page.getByText(t("check:failure.hint"))).toBeVisible();
    await expect(page.getByText(t(`check:reasons.${reason}.what`, detail))).toBeVisible();
    await expect(page.getByText(t(`check:reasons.${reason}.try`))).toBeVisible();
    await expect(page.getByText(t("check:failure.notClean.page"))).toBeVisible();
    await expect(page.getByLabel(t("home:form.label"))).toHaveValue(demo(path));
  });
}

test("a failed check can be repeated from its page", async ({ page, t, checked }) => {
  await checked(demo("/nothing"));
  const failed = page.url();
  await page.getByRole("button", { name: t("home:form.submit") }).click();
  await expect(page).not.toHaveURL(failed);
  await expect(page).toHaveURL(/\/check\/[\w-]{22}$/);
});
