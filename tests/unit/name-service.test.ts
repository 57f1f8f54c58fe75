import { describe, expect, it, vi } from "vitest";
import { createAddressPolicy } from "~/scan/network/address-policy";
import { createBurst } from "~/scan/burst";
import { createNameService } from "~/scan/network/name-service";

const policy = createAddressPolicy([]);
const failing = (code: string) => Object.assign(new Error(code), { code });

describe("names that visits ask for", () => {
  it("are asked once for each visit, as nobody says how long the answer holds", async () => {
    const answers = [["1.1.1.1"], ["2.2.2.2"]];
    const lookup = vi.fn(async () => answers.shift() ?? []);
    const names = createNameService({ policy, lookup });
    const first = names.open();
    expect(await first.addressesOf("a.example")).toEqual(["1.1.1.1"]);
    expect(await first.addressesOf("a.example")).toEqual(["1.1.1.1"]);
    expect(await names.open().addressesOf("a.example")).toEqual(["2.2.2.2"]);
    expect(lookup).toHaveBeenCalledTimes(2);
  });

  it("are not asked for again by another visit when they do not exist", async () => {
    const lookup = vi.fn(async () => Promise.reject(failing("ENOTFOUND")));
    const names = createNameService({ policy, lookup });
    for (let visit = 0; visit < 3; visit += 1)
      await expect(names.open().addressesOf("dead.example")).rejects.toThrow("ENOTFOUND");
    expect(lookup).toHaveBeenCalledTimes(1);
  });

  it("are asked for again when it was the name server that failed", async () => {
    const lookup = vi.fn(async () => Promise.reject(failing("ETIMEOUT")));
    const names = createNameService({ policy, lookup });
    const visit = names.open();
    await expect(visit.addressesOf("slow.example")).rejects.toThrow("ETIMEOUT");
    await expect(visit.addressesOf("slow.example")).rejects.toThrow("ETIMEOUT");
    expect(lookup).toHaveBeenCalledTimes(2);
  });

  it("are asked for again after a minute, in which they may have come to be", async () => {
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

describe("a burst", () => {
  const never = () => new Promise<never>(() => {});
  const { signal } = new AbortController();

  it("is no larger than it may be, and everything has its turn", async () => {
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

  it("is not held up by what gets no answer", async () => {
    const burst = createBurst(2, 10);
    void burst.run(never, signal);
    void burst.run(never, signal);
    expect(await burst.run(async () => "answer", signal)).toBe("answer");
  });

  it("forgets what nobody waits for any more", async () => {
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
