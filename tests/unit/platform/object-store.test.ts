import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createFolderStore } from "~/platform/objects/folder-store.server";
import { inBatches, reasonOf, type ObjectKey, type ObjectStore } from "~/platform/objects/object-store";
import { openStore, probeStore } from "~/platform/objects/open-store.server";
import { readStorageAddress } from "~/platform/objects/storage-address";
import { StoreFailed, watchStore } from "~/platform/objects/watched-store";
import { startS3, type S3Double } from "../../doubles/s3";
import { freshFolder } from "../../support/servers/fresh-folder";

const bytes = (text: string) => Buffer.from(text);
const textOf = (found: Uint8Array | null) => found && Buffer.from(found).toString();

async function keysOf(store: ObjectStore, group?: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of store.list(group)) keys.push(key);
  return keys.sort();
}

async function s3Store(secret?: string): Promise<{ store: ObjectStore; s3: S3Double }> {
  const s3 = await startS3();
  onTestFinished(() => s3.close());
  for (const [name, value] of Object.entries({ ...s3.env, ...(secret && { AWS_SECRET_ACCESS_KEY: secret }) })) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  return { s3, store: await storeAt(s3.url) };
}

async function storeAt(url: string): Promise<ObjectStore> {
  const address = readStorageAddress(url);
  if (!address) throw new Error(`${url} is no address of a store`);
  return openStore(address, process.env);
}

const STORES: Record<string, () => Promise<ObjectStore>> = {
  "in a folder": () => storeAt(`file:${freshFolder()}/made/later`),
  "in S3": async () => (await s3Store()).store,
};

describe.each(Object.entries(STORES))("objects %s", (_name, open) => {
  test("what was put is found again, byte by byte, and can be replaced", async () => {
    const store = await open();
    const all = Uint8Array.from({ length: 256 }, (_, index) => index);
    await store.put("run/picture.webp", all);
    expect(await store.get("run/picture.webp")).toEqual(all);
    await store.put("run/picture.webp", bytes("new"));
    expect(textOf(await store.get("run/picture.webp"))).toBe("new");
    await store.put("run/empty", bytes(""));
    expect(await store.get("run/empty")).toEqual(new Uint8Array());
  });

  test("what is not there is null, also after it was deleted", async () => {
    const store = await open();
    expect(await store.get("run/none")).toBeNull();
    await store.put("run/one", bytes("1"));
    await store.delete(["run/one", "run/none"]);
    expect(await store.get("run/one")).toBeNull();
    await store.delete([]);
    await store.put("run/one", bytes("again"));
    expect(textOf(await store.get("run/one"))).toBe("again");
  });

  test("objects are listed with their time, all or those of one group alone", async () => {
    const store = await open();
    expect(await keysOf(store)).toEqual([]);
    const keys: ObjectKey[] = ["one/a", "one/b", "one/c", "one/d", "onemore/a", "-two_/a.webp", "_/a"];
    for (const key of keys) await store.put(key, bytes(key));
    expect(await keysOf(store)).toEqual([...keys].sort());
    expect(await keysOf(store, "one")).toEqual(["one/a", "one/b", "one/c", "one/d"]);
    expect(await keysOf(store, "three")).toEqual([]);
    for await (const { storedAt } of store.list()) expect(Math.abs(Date.now() - storedAt)).toBeLessThan(60_000);
    await store.delete(keys);
    expect(await keysOf(store)).toEqual([]);
  });

  test("equal keys written at once leave one whole object", async () => {
    const store = await open();
    await Promise.all(["aaaa", "bbbb", "cccc"].map((text) => store.put("run/one", bytes(text))));
    expect(textOf(await store.get("run/one"))).toMatch(/^(aaaa|bbbb|cccc)$/);
    expect(await keysOf(store)).toEqual(["run/one"]);
  });

  test.each(["run", "run/", "/run", "../run/a", "run/../a", "run/a/b", "run/.a", ".run/a", "run/a\0", "rün/a", "run\\a/b"])("no key leads elsewhere: %j", async (key) => {
    const store = await open();
    await expect(store.put(key as ObjectKey, bytes("x"))).rejects.toThrow(TypeError);
    await expect(store.get(key as ObjectKey)).rejects.toThrow(TypeError);
    await expect(store.delete([key as ObjectKey])).rejects.toThrow(TypeError);
  });

  test("a probe leaves nothing behind", async () => {
    const store = await open();
    await probeStore(store);
    expect(await keysOf(store)).toEqual([]);
  });
});

describe("a folder", () => {
  test("is created with its first object, readable for its user alone, and has few entries", async () => {
    const folder = path.join(freshFolder(), "a", "b");
    const store = createFolderStore(folder);
    expect(existsSync(folder)).toBe(false);
    await store.put("run/one", bytes("1"));
    const file = path.join(folder, "ru", "run", "one");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(path.dirname(file)).mode & 0o777).toBe(0o700);
    await store.delete(["run/one"]);
    expect(readdirSync(path.join(folder, "ru"))).toEqual([]);
  });

  test("lists what a crash left half written, and neither lists nor deletes what others put there", async () => {
    const folder = freshFolder();
    const store = createFolderStore(folder);
    await store.put("run/one", bytes("1"));
    writeFileSync(path.join(folder, "ru", "run", "one.0123456789ab.part"), "h");
    writeFileSync(path.join(folder, "notes.txt"), "mine");
    mkdirSync(path.join(folder, "ru", "run", "folder"));
    writeFileSync(path.join(folder, "ru", "run", ".hidden"), "mine");
    expect(await keysOf(store)).toEqual(["run/one", "run/one.0123456789ab.part"]);
    await store.delete(["run/one", "run/one.0123456789ab.part"]);
    expect(readdirSync(path.join(folder, "ru", "run")).sort()).toEqual([".hidden", "folder"]);
  });

  test("that cannot be written to fails", async () => {
    await expect(createFolderStore("/dev/null/pictures").put("run/one", bytes("1"))).rejects.toThrow("ENOTDIR");
    await expect(probeStore(createFolderStore("/dev/null/pictures"))).rejects.toThrow("ENOTDIR");
  });
});

describe("S3", () => {
  test("has objects under the prefix of the address alone, and leaves others", async () => {
    const { store, s3 } = await s3Store();
    s3.objects.set("other/one", { bytes: bytes("theirs"), at: new Date() });
    s3.objects.set("rampe/notes/of/others", { bytes: bytes("theirs"), at: new Date() });
    await store.put("run/one", bytes("1"));
    expect([...s3.objects.keys()]).toContain("rampe/run/one");
    expect(await keysOf(store)).toEqual(["run/one"]);
  });

  test("deletes and lists many at once", async () => {
    const { store, s3 } = await s3Store();
    const keys = Array.from({ length: 1_001 }, (_, index): ObjectKey => `run/${index}`);
    for (const key of keys) s3.objects.set(`rampe/${key}`, { bytes: bytes(key), at: new Date() });
    await store.delete(keys);
    expect(s3.requests.filter((each) => each.startsWith("POST"))).toHaveLength(2);
    expect(s3.objects.size).toBe(0);
  });

  test("that refuses a request fails, as if no object were missing", async () => {
    const { store, s3 } = await s3Store();
    s3.fails = "AccessDenied";
    await expect(store.get("run/one")).rejects.toThrow("AccessDenied was refused");
    await expect(keysOf(store)).rejects.toThrow();
    s3.fails = "NoSuchBucket";
    await expect(store.get("run/one")).rejects.toThrow("NoSuchBucket was refused");
  });

  test("that is overloaded is asked again", async () => {
    const { store, s3 } = await s3Store();
    s3.fails = "SlowDown";
    const put = store.put("run/one", bytes("1"));
    await expect.poll(() => s3.requests.length).toBeGreaterThan(0);
    s3.fails = null;
    await put;
    expect(s3.objects.size).toBe(1);
  });

  test("with a wrong key is refused", async () => {
    const { store } = await s3Store("wrong");
    await expect(store.put("run/one", bytes("1"))).rejects.toThrow("SignatureDoesNotMatch");
  });
});

describe("addresses", () => {
  test.each([
    ["file:var/pictures", { kind: "folder", folder: "var/pictures" }],
    ["file:/srv/pictures", { kind: "folder", folder: "/srv/pictures" }],
    ["file:///srv/pictures", { kind: "folder", folder: "/srv/pictures" }],
    ["s3://pictures", { kind: "s3", bucket: "pictures", prefix: "" }],
    ["s3://pictures/rampe/one/?region=eu-central-1", { kind: "s3", bucket: "pictures", prefix: "rampe/one/", region: "eu-central-1" }],
    ["s3://pictures/rampe?endpoint=https://s3.example:9000", { kind: "s3", bucket: "pictures", prefix: "rampe/", endpoint: "https://s3.example:9000" }],
  ])("%s", (address, read) => {
    expect(readStorageAddress(address)).toEqual({ ...read });
  });

  test.each(["var/pictures", "file:", "https://pictures.example/", "s3://", "s3://Pictures", "s3://user:key@pictures/", "s3://pictures/a b", "s3://pictures/../x//y", "s3://pictures?endpoint=s3.example", "s3://pictures?endpoint=https://user:key@s3.example", "s3://pictures?secret=1", "s3://pictures?endpoint=https://s3.example/path"])("%s is unusable", (address) => {
    expect(readStorageAddress(address)).toBeNull();
  });
});

describe("a store that fails", () => {
  function setUp() {
    const told: string[] = [];
    const broken = { get: false, put: false, asked: 0 };
    const inner = createFolderStore(freshFolder());
    const failing: ObjectStore = {
      ...inner,
      get: async (key) => ((broken.asked += 1), broken.get ? Promise.reject(new Error("no route")) : inner.get(key)),
      put: async (key, given) => (broken.put ? Promise.reject(new Error("full")) : inner.put(key, given)),
    };
    const store = watchStore(failing, { probe: probeStore, log: (event) => told.push(event), tryEveryMs: 20 });
    onTestFinished(() => store.stop());
    return { store, broken, told };
  }

  test("is not asked again by everybody, and is used again by itself once it works", async () => {
    const { store, broken, told } = setUp();
    await store.put("run/one", bytes("1"));
    broken.get = true;
    await expect(store.get("run/one")).rejects.toThrow("no route");
    expect(store.isReadable()).toBe(false);
    await expect(store.get("run/one")).rejects.toThrow(StoreFailed);
    expect(told).toEqual(["the object store cannot be read"]);
    broken.get = false;
    await expect.poll(() => store.isReadable()).toBe(true);
    expect(textOf(await store.get("run/one"))).toBe("1");
    expect(told.at(-1)).toBe("the object store works again");
  });

  test("fails at once for lists and deletions, too", async () => {
    const { store, broken } = setUp();
    broken.put = broken.get = true;
    await expect(store.get("run/one")).rejects.toThrow("no route");
    await expect(store.put("run/one", bytes("1"))).rejects.toThrow("full");
    await expect(keysOf(store)).rejects.toThrow(StoreFailed);
    await expect(store.delete(["run/one"])).rejects.toThrow(StoreFailed);
  });

  test("is still read when it is full", async () => {
    const { store, broken } = setUp();
    await store.put("run/one", bytes("1"));
    broken.put = true;
    await expect(store.put("run/two", bytes("2"))).rejects.toThrow("full");
    await expect(store.put("run/two", bytes("2"))).rejects.toThrow(StoreFailed);
    expect([store.isReadable(), store.isWritable()]).toEqual([true, false]);
    expect(textOf(await store.get("run/one"))).toBe("1");
  });

  test("or hangs ends the call at the time limit", async () => {
    const { store, s3 } = await s3Store();
    s3.fails = "hang";
    const watched = watchStore(store, { probe: probeStore, log: () => {}, withinMs: 50 });
    onTestFinished(() => watched.stop());
    await expect(watched.get("run/one")).rejects.toThrow("50 ms");
    await expect(watched.get("run/one")).rejects.toThrow(StoreFailed);
  });
});

test("batches hold at most the given number", async () => {
  async function* numbers() {
    yield* [1, 2, 3, 4, 5];
  }
  const batches: number[][] = [];
  for await (const batch of inBatches(numbers(), 2)) batches.push(batch);
  expect(batches).toEqual([[1, 2], [3, 4], [5]]);
});

test("log lines shorten names of groups, because the id of a run opens its free check", () => {
  const key = "BtdVFVtwYlWPTQZeV6ziWQ/x.webp";
  expect(reasonOf(new Error(`ENOSPC: no space left on device, open '/srv/pictures/Bt/${key}'`))).toBe("ENOSPC: no space left on device, open '/srv/pictures/Bt/BtdVFVtw…/x.webp'");
  expect(reasonOf(Object.assign(new Error(""), { name: "SlowDown" }))).toBe("SlowDown");
});
