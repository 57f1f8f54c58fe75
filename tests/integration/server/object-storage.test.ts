import { existsSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { startS3, type S3Double } from "../../doubles/s3";
import { newMember } from "../../support/accounts/accounts";
import { openDemoSite } from "../../support/scan/demo-site";
import { finishedRun } from "../../support/database/finished-runs";
import { freshFolder } from "../../support/servers/fresh-folder";
import { checkedPage, element, finding } from "../../support/database/page-results";
import { runAdmin } from "../../support/servers/run-admin";
import { runServer, startServer, type TestServer } from "../../support/servers/server";
import type { Site } from "../../support/scan/site";

let site: Site;
let s3: S3Double;
beforeAll(async () => {
  site = await openDemoSite();
});
afterAll(() => site.close());
beforeEach(async () => {
  s3 = await startS3();
  onTestFinished(() => s3.close());
});

const onS3 = () => ({ STORAGE_URL: s3.url, ...s3.env });
const allowed = () => ({ SCAN_ALLOW_PRIVATE: `127.0.0.1:${site.port}` });

/** Page of a finished free check. */
async function checkOf(server: TestServer): Promise<string> {
  const body = new URLSearchParams({ url: `http://127.0.0.1:${site.port}/barriers` });
  const answer = await fetch(`${server.origin}/?index`, { method: "POST", body, redirect: "manual" });
  const address = server.origin + (answer.headers.get("location") ?? "");
  await expect.poll(async () => pictureIn(await textAt(address))).not.toBe("");
  return address;
}

const textAt = async (address: string) => (await fetch(address, { headers: { Cookie: "locale=en" } })).text();
const pictureIn = (page: string) => /src="(\/check\/[^"]+\/picture\/[^"]+)"/.exec(page)?.[1] ?? "";
const health = async (server: TestServer) => (await (await fetch(`${server.origin}/healthz`)).json()) as Record<string, unknown>;

test("pictures of a scan are in the bucket, and its result is shown without them while that does not answer", async () => {
  const server = await startServer({ env: { ...onS3(), ...allowed() } });
  onTestFinished(() => server.kill());
  expect(await health(server)).toMatchObject({ ok: true, storage: "ok" });
  const address = await checkOf(server);
  const picture = server.origin + pictureIn(await textAt(address));
  const image = await fetch(picture);
  expect([image.status, image.headers.get("content-type")]).toEqual([200, "image/webp"]);
  const bytes = Buffer.from(await image.arrayBuffer());
  expect([...s3.objects.values()].some((object) => object.bytes.equals(bytes))).toBe(true);
  const db = await server.database();
  expect(await db.selectFrom("picture").select("hash").execute()).toEqual([]);
  expect((await db.selectFrom("stored_picture").selectAll().execute()).length).toBe([...s3.objects.keys()].filter((key) => key.endsWith(".webp")).length);

  s3.fails = "AccessDenied";
  expect((await fetch(picture)).status).toBe(404);
  const without = await textAt(address);
  expect(without).toContain("because the picture storage cannot be reached");
  expect(without).not.toContain('class="place-picture"');
  expect(await health(server)).toMatchObject({ ok: true, storage: "failed" });

  s3.fails = null;
  await server.logged(({ msg }) => msg === "the object store works again");
  expect(await textAt(address)).toContain('class="place-picture"');
  expect(await server.stop()).toMatchObject({ code: 0 });
});

test("a scan while the bucket does not answer keeps its pictures in the database", async () => {
  const server = await startServer({ env: { ...onS3(), ...allowed() } });
  onTestFinished(() => server.kill());
  s3.fails = "AccessDenied";
  const page = await textAt(await checkOf(server));
  expect((await fetch(server.origin + pictureIn(page))).status).toBe(200);
  expect(await (await server.database()).selectFrom("stored_picture").select("hash").execute()).toEqual([]);
});

test("a PDF is printed once for each state of its report", async () => {
  const server = await startServer({ env: { ...onS3(), BILLING: "off" } });
  onTestFinished(() => server.kill());
  const ada = await newMember(server);
  const violations = [finding("image-alt", { impact: "critical", elementCount: 1, elements: [element()] })];
  const { id } = await finishedRun(await server.database(), [checkedPage({ findings: { violations, incomplete: [], passes: [], inapplicable: [] } })], { owner: ada.id, at: Date.now() });
  const pdf = async (language: string) => {
    const answer = await fetch(`${server.origin}/run/${id}/export.pdf`, { headers: { Cookie: `${ada.cookie}; locale=${language}` } });
    return Buffer.from(await answer.arrayBuffer());
  };
  const printed = () => server.log().filter(({ msg }) => msg === "report printed").length;
  const first = await pdf("en");
  expect(first.subarray(0, 5).toString()).toBe("%PDF-");
  expect((await pdf("en")).equals(first)).toBe(true);
  expect(printed()).toBe(1);
  expect((await pdf("de")).equals(first)).toBe(false);
  expect(printed()).toBe(2);
  s3.fails = "AccessDenied";
  expect((await pdf("en")).subarray(0, 5).toString()).toBe("%PDF-");
  expect(printed()).toBe(3);
});

describe("the start is refused", () => {
  const oneLine = /^STORAGE_URL is unusable: [^\n]+\n$/;

  test("if the bucket is missing, or does not accept the key", async () => {
    const missing = await runServer({ ...onS3(), STORAGE_URL: s3.url.replace("pictures", "others") });
    expect(missing).toMatchObject({ code: 1, err: expect.stringMatching(oneLine) as unknown });
    expect(missing.err).toContain("the bucket others at http://127.0.0.1");
    const wrong = await runServer({ ...onS3(), AWS_SECRET_ACCESS_KEY: "wrong" });
    expect(wrong).toMatchObject({ code: 1, err: expect.stringMatching(oneLine) as unknown });
    expect(wrong.err).not.toContain("wrong");
  });

  test("if it is the store of another database, whose pictures a clean-up would delete", async () => {
    const folder = path.join(freshFolder(), "pictures");
    const first = await startServer({ env: { STORAGE_URL: `file:${folder}` }, browser: false });
    await first.stop();
    const other = await runServer({ STORAGE_URL: `file:${folder}` });
    expect(other).toMatchObject({ code: 1, err: expect.stringMatching(oneLine) as unknown });
    expect(other.err).toContain(`the folder ${folder} holds the pictures of another database`);
  });
});

test("`check` tests the store, and `backup` says that its pictures are not included", async () => {
  const dataDir = freshFolder();
  const folder = path.join(dataDir, "pictures");
  const settings = { DATA_DIR: dataDir, STORAGE_URL: `file:${folder}` };
  const server = await startServer({ dataDir, env: settings, browser: false });
  writeFileSync(path.join(folder, "in", "installation", "picture"), "x");
  const archive = path.join(freshFolder(), "archive");
  const made = await runAdmin(["backup", archive], settings);
  expect(made).toMatchObject({ status: 0, out: expect.stringContaining("It does not hold the pictures in STORAGE_URL") as unknown });
  await server.stop();
  const { out } = await runAdmin(["check"], settings);
  expect(out).toMatch(new RegExp(`^pictures +ok \\(the folder ${folder}\\)$`, "m"));
  s3.fails = "AccessDenied";
  expect((await runAdmin(["check"], { ...settings, ...onS3() })).out).toMatch(/^pictures +failed: the bucket pictures at http:\S+ cannot be written and read \(.+\): correct STORAGE_URL/m);

  const restored = freshFolder();
  expect(await runAdmin(["restore", archive], { DATA_DIR: restored })).toMatchObject({ status: 0 });
  expect(existsSync(path.join(restored, "pictures"))).toBe(false);
  expect(readdirSync(restored).length).toBeGreaterThan(0);
  expect((await runAdmin(["check"], { DATA_DIR: restored, STORAGE_URL: settings.STORAGE_URL })).out).toMatch(/^pictures +failed: the folder \S+ holds the pictures of another database, .+: the start says what to do$/m);
  const copy = await runServer({ DATA_DIR: restored, STORAGE_URL: settings.STORAGE_URL });
  expect(copy).toMatchObject({ code: 1, err: expect.stringContaining("holds the pictures of another database") as unknown });
});
