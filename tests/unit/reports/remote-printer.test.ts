import { expect, test } from "vitest";
import { SINGLE_PROCESS } from "~/platform/installation/installation";
import { createDatabaseQueue } from "~/platform/jobs/database-queue.server";
import type { PdfPrinter } from "~/reports/pdf/printer.server";
import { createRemotePrinter, deleteForgottenPrints, printForOthers } from "~/reports/pdf/remote-printer.server";
import { freshDatabase } from "../../support/database/database";
import { finishedRun } from "../../support/database/finished-runs";
import { checkedPage } from "../../support/database/page-results";

async function openPrinters(print: PdfPrinter["print"]) {
  const db = await freshDatabase();
  const { id } = await finishedRun(db, [checkedPage({ url: "https://shop.example/" })]);
  const queue = createDatabaseQueue({ db, name: "print", pollMs: 20, retryMs: 1 });
  const printer = { print, stop: () => Promise.resolve() };
  return {
    ...{ db, id },
    remote: createRemotePrinter({ db, queue, installation: SINGLE_PROCESS }),
    work: () => queue.work(printForOthers({ db, printer, installation: SINGLE_PROCESS }), { concurrency: 1 }),
    stop: () => queue.stop({ graceMs: 0 }),
  };
}

const bytes = (text: string) => new Uint8Array(Buffer.from(text));
const prints = (printers: Awaited<ReturnType<typeof openPrinters>>) => printers.db.selectFrom("print").selectAll().execute();

test("a document is printed by the process that has a browser, and is kept no longer than needed", async () => {
  const printers = await openPrinters(async (run, write) => bytes(`${run}: ${await write()}`));
  const asked = printers.remote.print(printers.id, async () => "<p>Grün");
  await printers.work();
  expect(Buffer.from((await asked) ?? []).toString()).toBe(`${printers.id}: <p>Grün`);
  expect(await prints(printers)).toEqual([]);
  await printers.stop();
});

test("a document that cannot be printed is an error after three attempts", async () => {
  let attempts = 0;
  const printers = await openPrinters(() => {
    attempts += 1;
    return Promise.reject(new Error("no paper"));
  });
  await printers.work();
  await expect(printers.remote.print(printers.id, async () => "<p>")).rejects.toThrow("could not be printed");
  expect(attempts).toBe(3);
  expect(await prints(printers)).toEqual([]);
  await printers.stop();
});

test("who leaves is not waited for, and who comes behind many others is told so", async () => {
  const printed: string[] = [];
  const printers = await openPrinters(async (_run, write) => {
    printed.push(await write());
    return bytes("pdf");
  });
  const leaving = new AbortController();
  const left = printers.remote.print(printers.id, async () => "left", leaving.signal);
  await expect.poll(() => prints(printers)).toHaveLength(1);
  leaving.abort(new Error("gone"));
  await expect(left).rejects.toThrow("gone");
  const asked = Array.from({ length: 6 }, (_, index) => printers.remote.print(printers.id, async () => `${index}`));
  await expect.poll(() => prints(printers)).toHaveLength(6);
  expect(await printers.remote.print(printers.id, async () => "late")).toBeNull();
  await printers.work();
  expect(await Promise.all(asked)).toHaveLength(6);
  expect(printed.sort()).toEqual(["0", "1", "2", "3", "4", "5"]);
  await printers.stop();
});

test("of 30 documents requested at once, six are printed, one at a time", async () => {
  const printers = await openPrinters(async (_run, write) => bytes(await write()));
  let [inMemory, most, made] = [0, 0, 0];
  const write = async () => {
    most = Math.max(most, (inMemory += 1));
    await new Promise((resolve) => setTimeout(resolve, 5));
    inMemory -= 1;
    return `${(made += 1)}`;
  };
  const asked = Array.from({ length: 30 }, () => printers.remote.print(printers.id, write));
  await expect.poll(() => prints(printers)).toHaveLength(6);
  await printers.work();
  const answers = await Promise.all(asked);
  expect(answers.filter((pdf) => pdf === null)).toHaveLength(24);
  expect([most, made]).toEqual([1, 6]);
  await printers.stop();
});

test("documents of a process that has ended are deleted after an hour", async () => {
  const printers = await openPrinters(async () => bytes("pdf"));
  await printers.db.insertInto("print").values({ id: "forgotten", html: "<p>", created_at: Date.now() }).execute();
  await deleteForgottenPrints(printers.db);
  expect(await prints(printers)).toHaveLength(1);
  await deleteForgottenPrints(printers.db, Date.now() + 3_600_001);
  expect(await prints(printers)).toEqual([]);
});
