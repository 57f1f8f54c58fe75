import type { Db } from "db/schema";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createPurchases } from "~/billing/purchase.server";
import { finishedRun } from "../../support/database/finished-runs";
import { newMember, type Member } from "../../support/accounts/accounts";
import { subscribe } from "../../support/billing/bought";
import { checkedPage, element, finding } from "../../support/database/page-results";
import { startServer, type TestServer } from "../../support/servers/server";

const PICTURE = Buffer.from("a picture of a chair");

let server: TestServer;
let db: Db;

beforeAll(async () => {
  server = await startServer({ browser: false, env: { BILLING: "demo" } });
  db = await server.database();
});
afterAll(() => server.stop());

/** Run of a subscriber for a page with one picture; resolves with the picture's path. */
async function runWithPicture(member: Member, url: string): Promise<string> {
  const elements = [element({ picture: PICTURE }), element()];
  const violations = [finding("image-alt", { elementCount: 2, elements })];
  const result = checkedPage({ url, findings: { violations, incomplete: [], passes: [], inapplicable: [] } });
  const run = await finishedRun(db, [result], { owner: member.id });
  const { id } = await db.selectFrom("page").select("id").where("run_id", "=", run.id).executeTakeFirstOrThrow();
  return `/run/${run.id}/picture/${id}/violations/image-alt/0`;
}

async function subscriber(covered: string[]): Promise<Member> {
  const member = await newMember(server);
  await subscribe(db, member);
  for (const url of covered) await createPurchases({ db }).register(member.id, url);
  return member;
}

test("an owner can see the picture of an element; it is cached privately", async () => {
  const ada = await subscriber(["https://shop.example/"]);
  const picture = await runWithPicture(ada, "https://shop.example/");
  const answer = await ada.get(picture);
  expect([answer.status, answer.text]).toEqual([200, PICTURE.toString()]);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    "content-type": "image/webp",
    "cache-control": "private, no-store",
    "x-content-type-options": "nosniff",
  });
});

test("another user's picture and a missing one are the same 404", async () => {
  const ada = await subscriber(["https://shop.example/"]);
  const eve = await subscriber(["https://shop.example/"]);
  const picture = await runWithPicture(ada, "https://shop.example/");
  const [, , run = ""] = picture.split("/");
  expect((await eve.get(picture)).status).toBe(404);
  for (const path of [
    picture.replace(/\/0$/, "/1"),
    picture.replace(/\/0$/, "/-1"),
    picture.replace(/\/0$/, "/0x0"),
    picture.replace("violations", "incomplete"),
    picture.replace("violations", "everything"),
    picture.replace("image-alt", "label"),
    picture.replace(/\/picture\/\d+/, "/picture/999999"),
    picture.replace(run, "missing"),
  ]) {
    expect((await ada.get(path)).status, path).toBe(404);
  }
});

test("a locked report shows no picture", async () => {
  const ada = await subscriber([]);
  const picture = await runWithPicture(ada, "https://locked.example/");
  const answer = await ada.get(picture);
  expect([answer.status, answer.location, answer.text]).toEqual([303, picture.split("/picture")[0], ""]);
});

test("a guest is asked to sign in", async () => {
  const ada = await subscriber(["https://shop.example/"]);
  const picture = await runWithPicture(ada, "https://shop.example/");
  const answer = await fetch(server.origin + picture, { redirect: "manual" });
  expect([answer.status, answer.headers.get("location")]).toEqual([303, expect.stringMatching(/\/login\?returnTo=/)]);
});
