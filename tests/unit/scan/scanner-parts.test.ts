import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, statSync } from "node:fs";
import { hostname } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { availableMemory, privateMemory } from "~/scan/browser/memory";
import { makeProfileFolder, removeLeftovers, removeProfileFolder } from "~/scan/browser/profile-folder";
import { startDeadline } from "~/platform/async/deadline";
import { createSemaphore } from "~/scan/browser/semaphore";
import { createAnalysisPermit } from "~/scan/visit/analysis-permit";

const { signal } = new AbortController();

describe("semaphore", () => {
  it("admits a waiting user before pages of a site that came first", async () => {
    const slots = createSemaphore(1);
    const entered: string[] = [];
    const take = async (name: string, background?: boolean) => {
      const release = await slots.take(signal, { background });
      entered.push(name);
      release();
    };
    const release = await slots.take(signal);
    const all = [take("site 1", true), take("site 2", true), take("visitor 1"), take("visitor 2")];
    release();
    await Promise.all(all);
    expect(entered).toEqual(["visitor 1", "visitor 2", "site 1", "site 2"]);
  });

  it("admits no second request without room, but always one", async () => {
    let room = false;
    const slots = createSemaphore(3, { roomForMore: () => room });
    const release = await slots.take(signal);
    let second = false;
    const taking = slots.take(signal).then((release) => {
      second = true;
      return release;
    });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(second).toBe(false);
    release();
    (await taking)();

    (await slots.take(signal))();
    await slots.take(signal);
    room = true;
    await slots.take(signal);
  });

  const party = (name: string, weight = 1) => ({ party: { name, weight } });

  it("parties take turns by weight, and a new party is admitted soon", async () => {
    const slots = createSemaphore(1);
    const entered: string[] = [];
    const take = async (name: string, weight: number) => {
      const release = await slots.take(signal, party(name, weight));
      entered.push(name);
      await Promise.resolve();
      release();
    };
    const release = await slots.take(signal, party("first"));
    const all = [...Array.from({ length: 8 }, () => take("four", 4)), ...Array.from({ length: 4 }, () => take("one", 1))];
    release();
    await Promise.all(all);
    expect(entered.slice(0, 5).filter((name) => name === "four")).toHaveLength(4);
    expect(entered.slice(0, 10).filter((name) => name === "one")).toHaveLength(2);
  });

  it("slow parties leave one slot to others, if there are any", async () => {
    let time = 0;
    const slots = createSemaphore(3, { now: () => time });
    const slow = [await slots.take(signal, party("slow")), await slots.take(signal, party("slow"))];
    (await slots.take(signal, party("other")))();
    time = 6_000;
    let third = false;
    const taking = slots.take(signal, party("slow")).then((release) => {
      third = true;
      return release;
    });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(third).toBe(false);
    (await slots.take(signal, party("other")))();
    slow[0]?.();
    (await taking)();
    // Hours later, no other party exists.
    time = 6_000_000;
    for (let each = 0; each < 2; each += 1) await slots.take(signal, party("slow"));
  });

  it("a request that must run alone waits for all slots, and nothing else starts meanwhile", async () => {
    const slots = createSemaphore(2);
    const release = await slots.take(signal);
    const entered: string[] = [];
    const take = async (name: string, alone: boolean) => {
      const leave = await slots.take(signal, { alone });
      entered.push(name);
      return leave;
    };
    const alone = take("alone", true);
    const after = take("after", false);
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(entered).toEqual([]);
    release();
    const leave = await alone;
    expect(entered).toEqual(["alone"]);
    leave();
    await after;
    expect(entered).toEqual(["alone", "after"]);
  });

  it("checks again by itself whether there is room", async () => {
    let room = false;
    const slots = createSemaphore(2, { roomForMore: () => room });
    await slots.take(signal);
    let entered = false;
    const taking = slots.take(signal).then(() => (entered = true));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(entered).toBe(false);
    room = true;
    await taking;
  });
});

describe("a visit's permit for analyses", () => {
  it("is given back before another one is taken: an analysis that goes on alone must not hold up its own visit", async () => {
    let free = 1;
    const take = async () => {
      if (free === 0) throw new Error("the visit waits for itself");
      free -= 1;
      return () => void (free = 1);
    };
    const permit = createAnalysisPermit(take, startDeadline(10_000));
    await permit.begin();
    await permit.begin();
    permit.end();
    expect(free).toBe(1);
  });
});

describe("available memory", () => {
  const files = (texts: Record<string, string>) => (name: string) => {
    const text = texts[name];
    if (text === undefined) throw new Error("no such file");
    return text;
  };
  const meminfo = "MemTotal:  8000000 kB\nMemAvailable:    1000000 kB\n";
  const stat = "active_file 5\ninactive_file 50000000\n";

  it.each<[string, Record<string, string>, number]>([
    ["of a machine", { "/proc/meminfo": meminfo }, 1_024_000_000],
    [
      "of a container",
      {
        "/proc/meminfo": meminfo,
        "/proc/self/cgroup": "0::/\n",
        "/sys/fs/cgroup/memory.max": "500000000\n",
        "/sys/fs/cgroup/memory.current": "400000000\n",
        "/sys/fs/cgroup/memory.stat": stat,
      },
      150_000_000,
    ],
    [
      "of a service with a limit",
      {
        "/proc/meminfo": meminfo,
        "/proc/self/cgroup": "0::/system.slice/rampe.service\n",
        "/sys/fs/cgroup/system.slice/rampe.service/memory.max": "500000000\n",
        "/sys/fs/cgroup/system.slice/rampe.service/memory.current": "400000000\n",
        "/sys/fs/cgroup/system.slice/rampe.service/memory.stat": stat,
      },
      150_000_000,
    ],
    [
      "of a container without a limit",
      {
        "/proc/meminfo": meminfo,
        "/proc/self/cgroup": "0::/\n",
        "/sys/fs/cgroup/memory.max": "max\n",
        "/sys/fs/cgroup/memory.current": "1",
        "/sys/fs/cgroup/memory.stat": stat,
      },
      1_024_000_000,
    ],
    ["of a system without such figures", {}, Infinity],
  ])("%s", (_what, texts, bytes) => expect(availableMemory(files(texts))).toBe(bytes));

  it("of processes: only their private memory counts", () => {
    const read = files({ "/proc/7/status": "VmRSS:\t  900 kB\nRssAnon:\t     300 kB\n" });
    expect(privateMemory([7, 8], read)).toBe(300 * 1_024);
  });
});

describe.skipIf(process.platform === "win32")("a browser's profile folder", () => {
  it("is readable only by its owner", async () => {
    const folder = makeProfileFolder();
    expect(statSync(folder).mode & 0o077).toBe(0);
    await removeProfileFolder(folder);
    expect(existsSync(folder)).toBe(false);
  });

  it("is removed after its process was killed, and only then", async () => {
    const mine = makeProfileFolder();
    const { pid } = spawnSync(process.execPath, ["--version"]);
    const leftover = path.join(path.dirname(mine), `${hostname()}-${pid}-abc`);
    const elsewhere = path.join(path.dirname(mine), `elsewhere-${pid}-abc`);
    for (const folder of [leftover, elsewhere]) mkdirSync(folder);
    await removeLeftovers();
    expect([leftover, mine, elsewhere].map((folder) => existsSync(folder))).toEqual([false, true, true]);
    for (const folder of [mine, elsewhere]) rmSync(folder, { recursive: true });
  });
});
