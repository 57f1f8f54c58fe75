import { describe, expect, it } from "vitest";
import { createFreeChecks } from "~/platform/limits/free-checks.server";

describe("the free check's rate limit", () => {
  it("grants the number of checks, then says when the next one is possible", async () => {
    const checks = createFreeChecks({ perHour: 2 });
    expect(await checks.take("192.0.2.1")).toEqual({ granted: true });
    expect(await checks.take("192.0.2.1")).toEqual({ granted: true });

    const refusal = await checks.take("192.0.2.1");
    expect(refusal).toMatchObject({ granted: false, limit: 2 });
    const minutes = (("retryAt" in refusal ? refusal.retryAt : 0) - Date.now()) / 60_000;
    expect(minutes).toBeGreaterThan(59);
    expect(minutes).toBeLessThanOrEqual(60);
  });

  it("counts each visitor for himself", async () => {
    const checks = createFreeChecks({ perHour: 1 });
    await checks.take("192.0.2.1");
    expect(await checks.take("192.0.2.2")).toEqual({ granted: true });
  });

  it("takes an IPv6 network of 64 bits for one visitor, and a mapped address for the IPv4 one", async () => {
    const checks = createFreeChecks({ perHour: 1 });
    await checks.take("2001:db8:1:2::1");
    expect(await checks.take("2001:db8:1:2:ffff::9")).toMatchObject({ granted: false });
    expect(await checks.take("2001:db8:1:3::1")).toEqual({ granted: true });

    await checks.take("192.0.2.7");
    expect(await checks.take("::ffff:192.0.2.7")).toMatchObject({ granted: false });
  });

  it("survives an address it cannot read", async () => {
    expect(await createFreeChecks({ perHour: 1 }).take("")).toEqual({ granted: true });
  });
});
