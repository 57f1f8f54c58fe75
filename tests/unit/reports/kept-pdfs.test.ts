import { expect, test } from "vitest";
import { createKeptPdfs } from "~/reports/pdf/kept-pdfs.server";
import { memoryStore } from "../../support/database/memory-store";

const PDF = Uint8Array.of(37, 80, 68, 70);

test("a finished PDF is found again by its run and its document alone", async () => {
  const kept = createKeptPdfs(memoryStore());
  await kept.keep("run", "<p>one</p>", PDF);
  expect(await kept.find("run", "<p>one</p>")).toEqual(PDF);
  expect(await kept.find("run", "<p>two</p>")).toBeNull();
  expect(await kept.find("other", "<p>one</p>")).toBeNull();
});

test("a store that does not answer is no reason to refuse a PDF", async () => {
  const store = memoryStore();
  const kept = createKeptPdfs(store);
  store.fails.put = true;
  await kept.keep("run", "<p>one</p>", PDF);
  store.fails.get = true;
  expect(await kept.find("run", "<p>one</p>")).toBeNull();
});
