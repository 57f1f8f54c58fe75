import { describe, expect, it, vi } from "vitest";
import { createAddressPolicy } from "~/scan/network/address-policy";
import { createBurst } from "~/scan/burst";
import { createNameService } from "~/scan/network/name-service";

const policy = createAddressPolicy([]);
const failing = (code: string) => Object.assign(new Error(code), { code });

describe("look-ups of host names", () => {
  it("are made once per visit if the answer has no time to live", async () => {
    const answers = [["1.1.1.1"], ["2.2.2.2"]];
    const lookup = vi.fn(async () => answers.shift() ?? []);
    const names = createNameService({ policy, lookup });
    const first = names.open();
    expect(await first.addressesOf("a.example")).toEqual(["1.1.1.1"]);
    expect(await first.addressesOf("a.example")).toEqual(["1.1.1.1"]);
    expect(await names.open().addressesOf("a.example")).toEqual(["2.2.2.2"]);
    expect(lookup).toHaveBeenCalledTimes(2);
  });

  it("are not repeated by another visit if the name does not exist", async () => {
    const lookup = vi.fn(async () => Promise.reject(failing("ENOTFOUND")));
    const names = createNameService({ policy, lookup });
    for (let visit = 0; visit < 3; visit += 1)
      await expect(names.open().addressesOf("dead.example")).rejects.toThrow("ENOTFOUND");
    expect(lookup).toHaveBeenCalledTimes(1);
  });

  it("are repeated if the name server failed", async () => {
    const lookup = vi.fn(async () => Promise.reject(failing("ETIMEOUT")));
    const names = createNameService({ policy, lookup });
    const visit = names.open();
    await expect(visit.addressesOf("slow.example")).rejects.toThrow("ETIMEOUT");
    await expect(visit.addressesOf("slow.example")).rejects.toThrow("ETIMEOUT");
    expect(lookup).toHaveBeenCalledTimes(2);
  });

  it("are repeated after a minute, because the name may exist by then", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const lookup = vi.fn(async () => Promise.reject(failing("ENODATA")));
    const names = createNameService({ policy, lookup });
    await expect(names.open().addressesOf("new.example")).rejects.toThrow("ENODATA");
    vi.advanceTimersByTime(61_000);
    lookup.mockResolvedValueOnce(["1.1.1.1"] as never);
    expect(await names.open().addressesOf("new.example")).toEqual(["1.1.1.1"]);
    vi.useRealTimers();
  });
});

describe("a burst of queries", () => {
  const never = () => new Promise<never>(() => {});
  const { signal } = new AbortController();

  it("stays within its limit, and every query is sent", async () => {
    const burst = createBurst(3, 10_000);
    let running = 0;
    let most = 0;
    const tasks = Array.from({ length: 20 }, () =>
      burst.run(async () => {
        most = Math.max(most, (running += 1));
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
      }, signal),
    );
    await Promise.all(tasks);
    expect(most).toBe(3);
  });

  it("is not blocked by queries without an answer", async () => {
    const burst = createBurst(2, 10);
    void burst.run(never, signal);
    void burst.run(never, signal);
    expect(await burst.run(async () => "answer", signal)).toBe("answer");
  });

  it("forgets aborted queries", async () => {
    const burst = createBurst(1, 10_000);
    void burst.run(never, signal);
    const visit = new AbortController();
    const task = vi.fn(never);
    const waiting = burst.run(task, visit.signal);
    visit.abort(new Error("the visit is over"));
    await expect(waiting).rejects.toThrow("the visit is over");
    expect(task).not.toHaveBeenCalled();
  });
});
