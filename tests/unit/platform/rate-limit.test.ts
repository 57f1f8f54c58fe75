import { expect, test } from "vitest";
import { clientNetwork } from "~/platform/limits/client-network.server";
import { createRateLimit, secondsUntil } from "~/platform/limits/rate-limit.server";

const perHour = (points: number) => createRateLimit({ name: "test", points, seconds: 3_600 });

test("a rate limit grants its number of attempts, then says how many and when the next one is possible", async () => {
  const limit = perHour(2);
  expect(await limit.take("a")).toEqual({ granted: true });
  expect(await limit.take("a")).toEqual({ granted: true });

  const refusal = await limit.take("a");
  expect(refusal).toMatchObject({ granted: false, limit: 2 });
  const seconds = secondsUntil("retryAt" in refusal ? refusal.retryAt : 0);
  expect(seconds).toBeGreaterThan(3_540);
  expect(seconds).toBeLessThanOrEqual(3_600);
});

test("each key has a limit of its own", async () => {
  const limit = perHour(1);
  await limit.take("a");
  expect(await limit.take("b")).toEqual({ granted: true });
});

test("a request over the limit has to wait for a second at least", () => {
  expect(secondsUntil(Date.now() - 1)).toBe(1);
});

test("a visitor is an IPv4 address or an IPv6 network of 64 bits; an address that cannot be read stays as it is", () => {
  expect(clientNetwork("192.0.2.1")).not.toBe(clientNetwork("192.0.2.2"));
  expect(clientNetwork("2001:db8:1:2::1")).toBe(clientNetwork("2001:db8:1:2:ffff::9"));
  expect(clientNetwork("2001:db8:1:2::1")).not.toBe(clientNetwork("2001:db8:1:3::1"));
  expect(clientNetwork("::ffff:192.0.2.7")).toBe("192.0.2.7");
  expect(clientNetwork("")).toBe("");
  // Some proxies add the port.
  expect(["192.0.2.7:51234", "[2001:db8:1:2::1]:443", "[2001:db8:1:2::1]"].map(clientNetwork)).toEqual(["192.0.2.7", "2001:db8:1:2::/64", "2001:db8:1:2::/64"]);
});
