import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { openFormBrowser } from "../support/form-browser";
import { mailsTo, mailTo } from "../support/outbox";
import { startServer, type ServerProcess } from "../support/server-process";

const PASSWORD = "korrekt pferd batterie klammer";
const SETTINGS = { BILLING: "off", BASE_URL: "http://rampe.test" };
/** After a form was sent: before it is read, while the password is hashed, as it is stored, and while the mail is sent. */
const MOMENTS_MS = [5, 60, 150, 260, 400];

/** Begins something and kills the server in the middle of it; gives the next one. */
async function dying(server: ServerProcess, folder: string, begin: () => Promise<unknown>, ms: number) {
  const begun = begin().catch(() => {});
  await delay(ms);
  await server.kill();
  await begun;
  return startServer(folder, SETTINGS);
}

const tokenOf = (link: string) => new URLSearchParams(link.split("?")[1]).get("token") ?? "";

test.each(MOMENTS_MS)("a server that is killed %i ms after each step leaves an account that can go on", async (ms) => {
  const folder = mkdtempSync(path.join(tmpdir(), "rampe-accounts-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [email, next] = ["ada@example.org", "lovelace@example.org"];
  let server = await startServer(folder, SETTINGS);
  let browser = openFormBrowser(server.origin);
  const restarted = (fresh: ServerProcess) => {
    const { cookies } = browser;
    server = fresh;
    browser = openFormBrowser(server.origin);
    for (const [name, value] of cookies) browser.cookies.set(name, value);
  };
  const signIn = (address: string) => browser.post("/login", { email: address, password: PASSWORD });

  const register = () => browser.post("/register", { name: "Ada", email, password: PASSWORD });
  restarted(await dying(server, folder, register, ms));
  // Whoever got no answer sends the form again.
  expect((await register()).status).toBe(303);
  expect((await signIn(email)).status).toBe(303);

  const { link } = await mailTo(folder, email, "verify");
  const verify = () => browser.post("/account/verify", { token: tokenOf(link) });
  restarted(await dying(server, folder, verify, ms));
  const again = await verify();
  expect([303, 422], "confirmed now, or before").toContain(again.status);
  expect((await browser.get("/account/verify")).text).toContain("ist bestätigt");

  const change = () => browser.post("/profile/email", { email: next, currentPassword: PASSWORD });
  restarted(await dying(server, folder, change, ms));
  expect((await change()).status).toBe(303);
  // Only the link of the latest request counts, and its mail may be the last one to come.
  const confirm = async () => {
    for (const mail of mailsTo(folder, next)) await browser.post("/account/verify", { token: tokenOf(mail.link) });
  };
  await mailTo(folder, next, "change_email");
  restarted(await dying(server, folder, confirm, ms));
  const signsIn = async () => {
    await confirm();
    return (await openFormBrowser(server.origin).post("/login", { email: next, password: PASSWORD })).status;
  };
  await expect.poll(signsIn, { timeout: 20_000, message: "the new address signs in" }).toBe(303);
  browser.cookies.clear();
  expect((await signIn(next)).status).toBe(303);
  expect((await openFormBrowser(server.origin).post("/login", { email, password: PASSWORD })).status).toBe(422);
  expect((await browser.get("/profile/general")).text).toContain("bestätigt");
}, 120_000);
