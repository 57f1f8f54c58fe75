import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { fromElsewhere } from "../support/accounts";
import { openFormBrowser, type FormBrowser } from "../support/form-browser";
import { mailsTo, mailTo } from "../support/outbox";
import { startServer } from "../support/server-process";

const PASSWORD = "korrekt pferd batterie klammer";
const SETTINGS = { BILLING: "off", BASE_URL: "http://rampe.test", TRUST_PROXY: "1" };
/** After a form was sent: before it is read, while the password is hashed, as it is stored, and while the mail is sent. */
const MOMENTS_MS = [5, 60, 150, 260, 400];

interface Person {
  /** So long before the server is killed, they begin. */
  ms: number;
  email: string;
  next: string;
  browser: FormBrowser;
}

const tokenOf = (link: string) => new URLSearchParams(link.split("?")[1]).get("token") ?? "";

test(`a server that is killed ${MOMENTS_MS.join(", ")} ms after each step leaves accounts that can go on`, async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "rampe-accounts-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  let server = await startServer(folder, SETTINGS);
  const somewhere = () => openFormBrowser(server.origin, fromElsewhere());
  const people = MOMENTS_MS.map((ms): Person => {
    return { ms, email: `ada-${ms}@example.org`, next: `lovelace-${ms}@example.org`, browser: somewhere() };
  });

  /** Everybody begins something, each at their own time; the server is killed in the middle of it, and started anew. */
  async function dying(begin: (person: Person) => Promise<unknown>): Promise<void> {
    const longest = Math.max(...MOMENTS_MS);
    const begun = people.map((person) =>
      delay(longest - person.ms)
        .then(() => begin(person))
        .catch(() => {}),
    );
    await delay(longest);
    await server.kill();
    await Promise.all(begun);
    server = await startServer(folder, SETTINGS);
    for (const person of people) {
      const { cookies } = person.browser;
      person.browser = somewhere();
      for (const [name, value] of cookies) person.browser.cookies.set(name, value);
    }
  }

  const register = ({ browser, email }: Person) => browser.post("/register", { name: "Ada", email, password: PASSWORD });
  const signIn = (browser: FormBrowser, email: string) => browser.post("/login", { email, password: PASSWORD });
  await dying(register);
  for (const person of people) {
    // Whoever got no answer sends the form again.
    expect((await register(person)).status, person.email).toBe(303);
    expect((await signIn(person.browser, person.email)).status, person.email).toBe(303);
  }

  const links = new Map<Person, string>();
  for (const person of people) links.set(person, (await mailTo(folder, person.email, "verify")).link);
  const verify = (person: Person) => person.browser.post("/account/verify", { token: tokenOf(links.get(person) ?? "") });
  await dying(verify);
  for (const person of people) {
    const again = await verify(person);
    expect([303, 422], `${person.email}: confirmed now, or before`).toContain(again.status);
    expect((await person.browser.get("/account/verify")).text, person.email).toContain("ist bestätigt");
  }

  const change = ({ browser, next }: Person) => browser.post("/profile/email", { email: next, currentPassword: PASSWORD });
  await dying(change);
  for (const person of people) expect((await change(person)).status, person.email).toBe(303);
  // Only the link of the latest request counts, and its mail may be the last one to come.
  const confirm = async ({ browser, next }: Person) => {
    for (const mail of mailsTo(folder, next)) await browser.post("/account/verify", { token: tokenOf(mail.link) });
  };
  for (const { next } of people) await mailTo(folder, next, "change_email");
  await dying(confirm);
  for (const person of people) {
    const signsIn = async () => {
      await confirm(person);
      return (await signIn(somewhere(), person.next)).status;
    };
    await expect.poll(signsIn, { message: `${person.next} signs in` }).toBe(303);
    person.browser.cookies.clear();
    expect((await signIn(person.browser, person.next)).status, person.next).toBe(303);
    expect((await signIn(somewhere(), person.email)).status, person.email).toBe(422);
    expect((await person.browser.get("/profile/general")).text, person.next).toContain("bestätigt");
  }
});
