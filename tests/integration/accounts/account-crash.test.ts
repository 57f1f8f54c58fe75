import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { register, signIn, newPerson, visitorOf, type Person } from "../../support/accounts/accounts";
import { freshLocation } from "../../support/database/database";
import type { FormBrowser } from "../../support/browser/form-browser";
import { startKillable } from "../../support/servers/killable-server";
import { mailsTo, mailTo } from "../../support/servers/outbox";

const SETTINGS = { BILLING: "off", BASE_URL: "http://rampe.test", TRUST_PROXY: "1" };
/** Times after a form was sent: before it is read, during the password hash, when it is stored, and while the mail is sent. */
const MOMENTS_MS = [5, 60, 150, 260, 400];

interface User extends Person {
  /** Time between the start of an action and the kill. */
  ms: number;
  next: string;
  browser: FormBrowser;
}

test(`accounts work after the server was killed ${MOMENTS_MS.join(", ")} ms after each step`, async () => {
  const location = freshLocation();
  let server = await startKillable(location, SETTINGS, { browser: false });
  const somewhere = () => visitorOf(server);
  const people = MOMENTS_MS.map((ms): User => ({ ...newPerson(), ms, next: newPerson().email, browser: somewhere() }));

  /** Every user starts an action, at different times; the server is killed during them, and started again. */
  async function dying(begin: (person: User) => Promise<unknown>): Promise<void> {
    const longest = Math.max(...MOMENTS_MS);
    const begun = people.map((person) =>
      delay(longest - person.ms)
        .then(() => begin(person))
        .catch(() => {}),
    );
    await delay(longest);
    await server.kill();
    await Promise.all(begun);
    server = await startKillable(location, SETTINGS, { browser: false });
    for (const person of people) {
      const { cookies } = person.browser;
      person.browser = somewhere();
      for (const [name, value] of cookies) person.browser.cookies.set(name, value);
    }
  }

  const join = (person: User) => register(person.browser, person);
  await dying(join);
  for (const person of people) {
    // Users without an answer send the form again.
    expect((await join(person)).status, person.email).toBe(303);
    expect((await signIn(person.browser, person)).status, person.email).toBe(303);
  }

  const tokens = new Map<User, string>();
  for (const person of people) tokens.set(person, (await mailTo(location.dataDir, person.email, "verify")).token);
  const verify = (person: User) => person.browser.post("/account/verify", { token: tokens.get(person) ?? "" });
  await dying(verify);
  for (const person of people) {
    const again = await verify(person);
    expect([303, 422], `${person.email}: confirmed now, or before`).toContain(again.status);
    expect((await person.browser.get("/account/verify")).text, person.email).toContain("ist bestätigt");
  }

  const change = ({ browser, next, password }: User) => browser.post("/profile/email", { email: next, currentPassword: password });
  await dying(change);
  for (const person of people) expect((await change(person)).status, person.email).toBe(303);
  // Only the latest link is valid, and its mail may arrive last.
  const confirm = async ({ browser, next }: User) => {
    for (const { token } of mailsTo(location.dataDir, next)) await browser.post("/account/verify", { token });
  };
  for (const { next } of people) await mailTo(location.dataDir, next, "change_email");
  await dying(confirm);
  for (const person of people) {
    const renamed = { ...person, email: person.next };
    const signsIn = async () => {
      await confirm(person);
      return (await signIn(somewhere(), renamed)).status;
    };
    await expect.poll(signsIn, { message: `${person.next} signs in` }).toBe(303);
    person.browser.cookies.clear();
    expect((await signIn(person.browser, renamed)).status, person.next).toBe(303);
    expect((await signIn(somewhere(), person)).status, person.email).toBe(422);
    expect((await person.browser.get("/profile/general")).text, person.next).toContain("bestätigt");
  }
});
