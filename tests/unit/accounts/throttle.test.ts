import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createThrottle, type Throttle } from "~/accounts/throttle.server";
import type { PasswordAttempt } from "~/accounts/password-attempt";

const MINUTE_MS = 60_000;
const HERE = "192.0.2.1";
const THERE = "198.51.100.1";
const GRANTED = { granted: true };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const from = (email: string, address: string): PasswordAttempt => ({ email, address, browser: null });
const knownIn = (browser: string, email: string, address = HERE): PasswordAttempt => ({ email, address, browser });

async function guess(throttle: Throttle, email: string, address: string, times: number): Promise<void> {
  for (let count = 0; count < times; count += 1) await throttle.signIn(from(email, address));
}

test("guessing passwords is blocked for a quarter of an hour, and the answer says how long", async () => {
  const throttle = createThrottle({ perAccount: 3 });
  for (let count = 0; count < 3; count += 1) expect(await throttle.signIn(from("anna@example.org", HERE))).toEqual(GRANTED);
  expect(await throttle.signIn(from("anna@example.org", HERE))).toEqual({
    granted: false,
    limit: 3,
    retryAt: Date.now() + 15 * MINUTE_MS,
  });
  await vi.advanceTimersByTimeAsync(15 * MINUTE_MS);
  expect(await throttle.signIn(from("anna@example.org", HERE))).toEqual(GRANTED);
});

test("further attempts do not extend a block", async () => {
  const throttle = createThrottle({ perAccount: 3 });
  await guess(throttle, "anna@example.org", HERE, 4);
  await vi.advanceTimersByTimeAsync(14 * MINUTE_MS);
  await guess(throttle, "anna@example.org", HERE, 20);
  await vi.advanceTimersByTimeAsync(MINUTE_MS);
  expect(await throttle.signIn(from("anna@example.org", HERE))).toEqual(GRANTED);
});

test("guesses from any number of networks block the account for them, but not for its owner's known browser", async () => {
  const throttle = createThrottle();
  for (let net = 0; net < 50; net += 1) await guess(throttle, "anna@example.org", `203.0.${net}.1`, 20);
  expect(await throttle.signIn(from("anna@example.org", HERE))).toMatchObject({ granted: false });
  expect(await throttle.signIn(from("ben@example.org", HERE))).toEqual(GRANTED);
  expect(await throttle.signIn(knownIn("her laptop", "anna@example.org"))).toEqual(GRANTED);
});

test("wrong passwords from 65,536 addresses of one network block only that network, except for known browsers", async () => {
  const throttle = createThrottle();
  let granted = 0;
  for (let net = 0; net < 65_536; net += 1) {
    const attempt = await throttle.signIn(from(`person-${net % 1_000}@example.org`, `2001:db8:1:${net.toString(16)}::1`));
    if (attempt.granted) granted += 1;
  }
  expect(granted).toBeLessThanOrEqual(240);
  expect(await throttle.signIn(from("anna@example.org", "2001:db8:1:ffff::9"))).toMatchObject({ granted: false });
  expect(await throttle.signIn(knownIn("her laptop", "anna@example.org", "2001:db8:1:ffff::9"))).toEqual(GRANTED);
  expect(await throttle.signIn(from("anna@example.org", "2001:db8:2::1"))).toEqual(GRANTED);
});

test("a network that continues is blocked longer each time, up to four hours", async () => {
  const throttle = createThrottle({ perNetwork: 2 });
  const minutes: number[] = [];
  for (let round = 0; round < 6; round += 1) {
    await guess(throttle, "anna@example.org", HERE, 2);
    const refused = await throttle.signIn(from("anna@example.org", HERE));
    if (refused.granted) throw new Error("it was let in");
    minutes.push((refused.retryAt - Date.now()) / MINUTE_MS);
    await vi.advanceTimersByTimeAsync(refused.retryAt - Date.now());
  }
  expect(minutes).toEqual([15, 30, 60, 120, 240, 240]);
});

test("a known browser is blocked only by its own wrong passwords, and is known for its account only", async () => {
  const throttle = createThrottle({ perAccount: 2 });
  for (let count = 0; count < 2; count += 1) await throttle.signIn(knownIn("her laptop", "anna@example.org"));
  expect(await throttle.signIn(knownIn("her laptop", "anna@example.org"))).toMatchObject({ granted: false });
  expect(await throttle.signIn(knownIn("her phone", "anna@example.org"))).toEqual(GRANTED);
  await vi.advanceTimersByTimeAsync(15 * MINUTE_MS);
  expect(await throttle.signIn(knownIn("her laptop", "anna@example.org"))).toEqual(GRANTED);
});

test("after a block at one account, one's own account is open from the same address", async () => {
  const throttle = createThrottle({ perAccount: 3, perClientNetwork: 10 });
  await guess(throttle, "anna@example.org", HERE, 50);
  expect(await throttle.signIn(from("ben@example.org", HERE))).toEqual(GRANTED);
});

test("one client network cannot avoid its limit with many accounts, and blocks no one else", async () => {
  const throttle = createThrottle({ perClientNetwork: 5 });
  for (let count = 0; count < 5; count += 1) await throttle.signIn(from(`person-${count}@example.org`, HERE));
  expect(await throttle.signIn(from("anna@example.org", HERE))).toMatchObject({ granted: false });
  expect(await throttle.signIn(from("anna@example.org", THERE))).toEqual(GRANTED);
});

test("an IPv6 network of 64 bits is one client network, the next one is another", async () => {
  const throttle = createThrottle({ perAccount: 1 });
  await throttle.signIn(from("anna@example.org", "2001:db8:1:2::1"));
  expect(await throttle.signIn(from("anna@example.org", "2001:db8:1:2:ffff::9"))).toMatchObject({ granted: false });
  expect(await throttle.signIn(from("anna@example.org", "2001:db8:1:3::1"))).toEqual(GRANTED);
});

test("upper and lower case do not make another account", async () => {
  const throttle = createThrottle({ perAccount: 1 });
  await throttle.signIn(from("anna@example.org", HERE));
  expect(await throttle.signIn(from("ANNA@example.org", HERE))).toMatchObject({ granted: false });
});

test("right passwords are not counted: a large office can sign in without limit", async () => {
  const throttle = createThrottle({ perAccount: 3, perClientNetwork: 5 });
  for (let count = 0; count < 100; count += 1) {
    const email = `person-${count % 10}@example.org`;
    expect(await throttle.signIn(from(email, HERE))).toEqual(GRANTED);
    await throttle.succeeded(from(email, HERE));
  }
});

test("a right password for one's own account gives no further guesses at another", async () => {
  const throttle = createThrottle({ perAccount: 3, perClientNetwork: 100 });
  for (let count = 0; count < 3; count += 1) {
    expect(await throttle.signIn(from("anna@example.org", HERE))).toEqual(GRANTED);
    await throttle.signIn(from("mallory@example.org", HERE));
    await throttle.succeeded(from("mallory@example.org", HERE));
  }
  expect(await throttle.signIn(from("anna@example.org", HERE))).toMatchObject({ granted: false });
});

test("one client network cannot make us send endless mail; others still can", async () => {
  const throttle = createThrottle({ mailsPerClientNetwork: 2 });
  await throttle.mail(HERE);
  await throttle.mail(HERE);
  expect(await throttle.mail(HERE)).toEqual({ granted: false, limit: 2, retryAt: Date.now() + 60 * MINUTE_MS });
  expect(await throttle.mail(THERE)).toEqual(GRANTED);
  await vi.advanceTimersByTimeAsync(60 * MINUTE_MS);
  expect(await throttle.mail(HERE)).toEqual(GRANTED);
});

test("no mailbox is filled with mails, from any sender and with any spelling of the address; others get theirs", async () => {
  const throttle = createThrottle({ mailsPerRecipient: 2 });
  expect(await throttle.recipient("forgot", "anna@example.org")).toBe(true);
  expect(await throttle.recipient("forgot", "Anna@example.org")).toBe(true);
  expect(await throttle.recipient("forgot", "ANNA@example.org")).toBe(false);
  expect(await throttle.recipient("forgot", "ben@example.org")).toBe(true);
  await vi.advanceTimersByTimeAsync(60 * MINUTE_MS);
  expect(await throttle.recipient("forgot", "anna@example.org")).toBe(true);
});

test("a refused mail tells when the next one is granted, whether the network or the recipient has had too many", async () => {
  const throttle = createThrottle({ mailsPerClientNetwork: 2, mailsPerRecipient: 1 });
  const retryAt = Date.now() + 60 * MINUTE_MS;
  expect(await throttle.mailTo("order", "anna@example.org", HERE)).toEqual(GRANTED);
  expect(await throttle.mailTo("order", "anna@example.org", HERE)).toEqual({ granted: false, limit: 1, retryAt });
  expect(await throttle.mailTo("order", "ben@example.org", HERE)).toEqual({ granted: false, limit: 2, retryAt });
  expect(await throttle.mailTo("order", "ben@example.org", THERE)).toEqual(GRANTED);
});

test("forms kept until sign-in cannot fill the database", async () => {
  const throttle = createThrottle({ formsPerClientNetwork: 2 });
  expect(await throttle.keptForm(HERE)).toBe(true);
  expect(await throttle.keptForm(HERE)).toBe(true);
  expect(await throttle.keptForm(HERE)).toBe(false);
  expect(await throttle.keptForm(THERE)).toBe(true);
});

test("mails, kept forms and wrong passwords are counted separately", async () => {
  const throttle = createThrottle({ mailsPerClientNetwork: 1, formsPerClientNetwork: 1, perClientNetwork: 1, mailsPerRecipient: 1 });
  expect(await throttle.mail(HERE)).toEqual(GRANTED);
  expect(await throttle.keptForm(HERE)).toBe(true);
  expect(await throttle.recipient("forgot", "anna@example.org")).toBe(true);
  expect(await throttle.signIn(from("anna@example.org", HERE))).toEqual(GRANTED);
});

test("a mail that could not be requested does not count", async () => {
  const throttle = createThrottle({ mailsPerClientNetwork: 1, mailsPerRecipient: 1 });
  for (let count = 0; count < 3; count += 1) {
    expect([await throttle.mail(HERE), await throttle.recipient("order", "anna@example.org")]).toEqual([GRANTED, true]);
    await throttle.unsent("order", "anna@example.org", HERE);
  }
  await throttle.recipient("order", "anna@example.org");
  expect(await throttle.recipient("order", "anna@example.org")).toBe(false);
});
