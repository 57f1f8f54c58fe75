import type { Db } from "db/schema";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newMember, sendSignedOut, type Member } from "../../support/accounts/accounts";
import { subscribe } from "../../support/billing/bought";
import { finishedRun } from "../../support/database/finished-runs";
import { checkedPage } from "../../support/database/page-results";
import { pdfText } from "../../support/reports/pdf-text";
import { pdfUaProblems } from "../../support/reports/pdf-ua";
import { startServer, type TestServer } from "../../support/servers/server";

const COVER = "/profile/report-cover";
const SHOP = "https://shop.example/";
/** Picture of one pixel. */
const PNG = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==", "base64");

let server: TestServer;
let db: Db;

beforeAll(async () => {
  server = await startServer({ env: { TRUST_PROXY: "1" } });
  db = await server.database();
});

afterAll(() => server.stop());

const headersOf = (member: Member) => ({ cookie: [...member.cookies].map(([name, value]) => `${name}=${value}`).join("; ") });

/** Sends the form like a browser. */
async function send(member: Member, fields: Record<string, string>, logo?: Uint8Array<ArrayBuffer>): Promise<{ status: number; location: string | null; text: string }> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append("logo", new Blob(logo ? [logo] : []), logo ? "logo.png" : "");
  const answer = await fetch(`${server.origin}${COVER}`, { method: "POST", body: form, headers: headersOf(member), redirect: "manual" });
  return { status: answer.status, location: answer.headers.get("location"), text: await answer.text() };
}

async function pdfOf(member: Member, id: string): Promise<Uint8Array> {
  const answer = await fetch(`${server.origin}/run/${id}/export.pdf`, { headers: headersOf(member) });
  expect(answer.status).toBe(200);
  return new Uint8Array(await answer.arrayBuffer());
}

test("reports have the cover of their account, in Pro, as long as it wants", async () => {
  const member = await newMember(server, { language: "de" });
  await subscribe(db, member, { urls: [SHOP], plan: "pro" });
  const { id } = await finishedRun(db, [checkedPage({ url: SHOP })], { owner: member.id, at: Date.now() });

  expect(await send(member, { name: "Ada & Co", color: "#ffee00" }, PNG)).toMatchObject({ status: 303, location: COVER });
  const page = await member.get(COVER);
  expect(page.text).toContain('value="Ada &amp; Co"');
  expect(page.text).toContain("data:image/png;base64,");
  expect(page.text).toContain("Auf der gespeicherten Farbe (#ffee00) ist sie schwarz.");
  const pdf = await pdfOf(member, id);
  expect(pdfText(pdf).slice(0, 12)).toContain("Ada&Co");
  expect(pdfUaProblems(pdf)).toEqual([]);
  const file = JSON.parse((await member.get("/account/export")).text) as { reportCover: { name: string; logo: { type: string } } };
  expect(file.reportCover).toMatchObject({ name: "Ada & Co", color: "#ffee00", logo: { type: "image/png" } });

  expect((await member.post(COVER, { remove: "1" })).location).toBe(COVER);
  expect(pdfText(await pdfOf(member, id))).not.toContain("Ada&Co");
});

test("a form with problems names each, keeps what was typed, and asks for the logo again", async () => {
  const member = await newMember(server, { language: "de" });
  await subscribe(db, member, { urls: [SHOP], plan: "pro" });
  const broken = await send(member, { name: "Ada", color: "red" }, Buffer.from("<svg/>"));
  expect(broken.status).toBe(422);
  expect(broken.text).toContain('value="Ada"');
  expect(broken.text).toContain("Geben Sie die Farbe als # mit sechs Ziffern");
  expect(broken.text).toContain("Nehmen Sie eine PNG-Datei.");
  const photo = await send(member, { name: "Ada", color: "#000000" }, Buffer.from("ffd8ffe000104a464946", "hex"));
  expect([photo.status, photo.text.includes("speichern Sie es als PNG")]).toEqual([422, true]);
  const nameless = await send(member, { name: " ", color: "#000000" }, PNG);
  expect(nameless.text).toContain("Browser behalten gewählte Dateien nicht");
  const large = await send(member, { name: "Ada", color: "#000000" }, Buffer.alloc(1_000_000));
  expect([large.status, large.text.includes("höchstens 200\u00a0KB")]).toEqual([422, true]);
});

test("a name and a colour typed before the session ended are still there after a new sign-in", async () => {
  const member = await newMember(server, { language: "de" });
  await subscribe(db, member, { urls: [SHOP], plan: "pro" });
  const page = await sendSignedOut(member, COVER, { name: "Ada & Co", color: "#ffee00" });
  expect([page.url.pathname, page.text.includes('value="Ada &amp; Co"'), page.text.includes('value="#ffee00"')]).toEqual([COVER, true, true]);
});

test("without Pro there is no form, and nothing is saved", async () => {
  const member = await newMember(server, { language: "de" });
  await subscribe(db, member, { urls: [SHOP], plan: "basic" });
  expect((await member.get(COVER)).text).toContain("Eine eigene Titelseite gehört zu Pro und Enterprise.");
  expect(await send(member, { name: "Ada", color: "#112233" })).toMatchObject({ status: 303, location: "/setup" });
  const { id } = await finishedRun(db, [checkedPage({ url: SHOP })], { owner: member.id, at: Date.now() });
  expect(pdfText(await pdfOf(member, id))).toMatch(/^Rampe/);
});
