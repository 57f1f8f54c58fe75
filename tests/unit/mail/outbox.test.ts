import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { Db } from "db/schema";
import { createSecretBox } from "~/platform/crypto/secret-box.server";
import type { Mailer, StoredMail } from "~/mail/mail";
import { createMailWorker } from "~/mail/mail-worker.server";
import { createOutboxList } from "~/mail/outbox-list.server";
import { createMails, type Mails } from "~/mail/outbox.server";
import { freshDatabase, freshLocation } from "../../support/database/database";
import { newDatabase, databaseBytes } from "../../support/database/server-database";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const MAIL = { to: "anna@example.org", subject: "Bitte bestätigen", text: "https://rampe.example/?token=opens-an-account\n" };

// `setImmediate` stays real: it announces new mails.
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

const outbox = (db: Db, onPosted?: () => void) => createMails({ db, box: createSecretBox(["a secret"]), onPosted });

async function post(db: Db, mails: Mails, mail = MAIL): Promise<void> {
  await db.transaction().execute((trx) => mails.post(trx, mail));
}

const wait = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe("a mail in the outbox", () => {
  it("is stored with the change it is about", async () => {
    const db = await freshDatabase();
    const mails = outbox(db);
    await post(db, mails);
    expect(await mails.nextAt()).toBe(Date.now());
    expect(await mails.take()).toMatchObject({ ...MAIL, attempts: 1, createdAt: Date.now() });
  });

  it("is not stored if the change is rolled back", async () => {
    const db = await freshDatabase();
    const mails = outbox(db);
    const undone = db.transaction().execute(async (trx) => {
      await mails.post(trx, MAIL);
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    expect(await mails.take()).toBeNull();
    expect(await mails.nextAt()).toBeNull();
  });

  it("is taken by one process, and deleted when sent", async () => {
    const db = await freshDatabase();
    const mails = outbox(db);
    await post(db, mails);
    const [first, second] = await Promise.all([mails.take(), mails.take()]);
    expect([first, second].filter(Boolean)).toHaveLength(1);
    await mails.sent((first ?? second)?.id ?? "");
    await wait(DAY_MS);
    expect(await mails.take()).toBeNull();
    expect(await db.selectFrom("mail").select("id").execute()).toEqual([]);
  });

  it("is sent again, with the same id, after its process died", async () => {
    const db = await freshDatabase();
    await post(db, outbox(db));
    const first = await outbox(db).take();
    const mails = outbox(db);
    expect(await mails.take()).toBeNull();
    const leaseEnds = (await mails.nextAt()) ?? 0;
    expect(leaseEnds - Date.now()).toBeGreaterThanOrEqual(MINUTE_MS);
    expect(leaseEnds - Date.now()).toBeLessThanOrEqual(15 * MINUTE_MS);
    vi.setSystemTime(leaseEnds);
    expect(await mails.take()).toEqual({ ...first, attempts: 2 });
  });

  it("with the longest wait comes first", async () => {
    const db = await freshDatabase();
    const mails = outbox(db);
    for (const subject of ["first", "second", "third"]) {
      await post(db, mails, { ...MAIL, subject });
      vi.setSystemTime(Date.now() + 1);
    }
    const subjects = [await mails.take(), await mails.take(), await mails.take()].map((mail) => mail?.subject);
    expect(subjects).toEqual(["first", "second", "third"]);
  });

  it("is due again at once when its process died and another one starts", async () => {
    const db = await freshDatabase();
    const mails = outbox(db);
    await post(db, mails);
    expect(await mails.take()).toMatchObject(MAIL);
    expect(await mails.take()).toBeNull();
    await outbox(db).resume();
    expect(await mails.take()).toMatchObject({ ...MAIL, attempts: 2 });
  });

  it("does not block the others if its secret is lost; the operator can see why it was not sent", async () => {
    const db = await freshDatabase();
    await post(db, createMails({ db, box: createSecretBox(["a lost secret"]) }));
    vi.setSystemTime(Date.now() + 1);
    const mails = outbox(db);
    await post(db, mails);
    expect(await mails.take()).toMatchObject(MAIL);
    const put = await db.selectFrom("mail").select(["error", "given_up_at"]).where("error", "is not", null).execute();
    expect(put, "the secret may come back").toEqual([{ error: expect.stringContaining("secret") as string, given_up_at: null }]);
  });

  it("has had no attempt while its secret was lost", async () => {
    const db = await freshDatabase();
    await post(db, outbox(db));
    const lost = createMails({ db, box: createSecretBox(["another secret"]) });
    for (let hour = 0; hour < 20; hour += 1) {
      expect(await lost.take()).toBeNull();
      await wait(60 * MINUTE_MS + 1);
    }
    expect(await outbox(db).take()).toMatchObject({ ...MAIL, attempts: 1 });
  });

  it("does not wait for a clock that was set back", async () => {
    const db = await freshDatabase();
    vi.setSystemTime(Date.now() + DAY_MS);
    await post(db, outbox(db));
    vi.setSystemTime(Date.now() - DAY_MS);
    expect(await outbox(db).take()).toMatchObject(MAIL);
  });

  it("is deleted after two months if its secret never comes back", async () => {
    const db = await freshDatabase();
    await post(db, createMails({ db, box: createSecretBox(["a lost secret"]) }));
    const left = async (days: number) => {
      await outbox(db).deleteExpired(Date.now() + days * DAY_MS);
      return (await db.selectFrom("mail").select("id").execute()).length;
    };
    expect([await left(59), await left(60)]).toEqual([1, 0]);
  });

  it("can be read after the secret was replaced and the old one kept", async () => {
    const db = await freshDatabase();
    await post(db, outbox(db));
    const rotated = createMails({ db, box: createSecretBox(["a new secret", "a secret"]) });
    expect(await rotated.take()).toMatchObject(MAIL);
  });

  it("cannot be read from the database alone", async () => {
    const location = freshLocation();
    const db = await newDatabase(location);
    onTestFinished(() => db.destroy());
    const mails = outbox(db);
    await post(db, mails);
    await mails.failed((await mails.take())?.id ?? "", "seen-in-clear", Date.now());
    const bytes = await databaseBytes(location);
    // Control: this search finds unencrypted data.
    expect(bytes.includes("seen-in-clear")).toBe(true);
    for (const secret of ["opens-an-account", MAIL.to, MAIL.subject]) expect(bytes.includes(secret), secret).toBe(false);
  });
});

describe("the mail worker", () => {
  function start(mails: Mails, deliver: (mail: StoredMail) => Promise<void>) {
    const events: string[] = [];
    const mailer: Mailer = { deliver, close: vi.fn() };
    const mailWorker = createMailWorker({ store: mails, mailer, log: (event) => events.push(event) });
    onTestFinished(() => mailWorker.stop());
    mailWorker.start();
    return { mailWorker, mailer, events };
  }

  it("sends waiting mails at its start, one after the other, and deletes them", async () => {
    const db = await freshDatabase();
    const mails = outbox(db);
    for (const subject of ["first", "second", "third"]) await post(db, mails, { ...MAIL, subject });
    let underWay = 0;
    const sent: string[] = [];
    start(mails, async ({ subject }) => {
      underWay += 1;
      await Promise.resolve();
      expect(underWay).toBe(1);
      underWay -= 1;
      sent.push(subject);
    });
    await wait(0);
    expect(sent.sort()).toEqual(["first", "second", "third"]);
    expect(await db.selectFrom("mail").select("id").execute()).toEqual([]);
  });

  it("sends a new mail as soon as it is committed", async () => {
    const db = await freshDatabase();
    let wake = () => {};
    const mails = outbox(db, () => wake());
    let deliver: (mail: StoredMail) => void = () => {};
    const delivered = new Promise<StoredMail>((resolve) => (deliver = resolve));
    const { mailWorker } = start(mails, async (mail) => deliver(mail));
    wake = () => mailWorker.wake();
    await wait(0);
    await post(db, mails);
    expect(await delivered).toMatchObject(MAIL);
  });

  it("finds mails of other processes by polling", async () => {
    const db = await freshDatabase();
    const sent: StoredMail[] = [];
    start(outbox(db), async (mail) => void sent.push(mail));
    await wait(0);
    await post(db, outbox(db));
    await wait(5 * MINUTE_MS);
    expect(sent).toMatchObject([MAIL]);
  });

  it("sends mails of a dead worker after its lease", async () => {
    const db = await freshDatabase();
    await post(db, outbox(db));
    await outbox(db).take();
    const sent: StoredMail[] = [];
    start(outbox(db), async (mail) => void sent.push(mail));
    await wait(0);
    expect(sent).toEqual([]);
    await wait(10 * MINUTE_MS);
    expect(sent).toMatchObject([{ ...MAIL, attempts: 2 }]);
  });

  it("tries again with growing pauses, and finally gives up", async () => {
    const db = await freshDatabase();
    const mails = outbox(db);
    await post(db, mails);
    const times: number[] = [];
    const { events } = start(mails, async () => {
      times.push(Date.now());
      throw new Error("no route to the mail server");
    });
    await wait(5 * DAY_MS);

    const pauses = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    expect(pauses[0]).toBe(MINUTE_MS);
    expect(pauses).toEqual(pauses.toSorted((first, second) => first - second));
    expect(events.at(-1)).toBe("mail given up");
    expect(events.filter((event) => event === "mail given up")).toHaveLength(1);
    expect(await db.selectFrom("mail").select(["attempts", "error"]).execute()).toEqual([
      { attempts: times.length, error: "no route to the mail server" },
    ]);
  });

  it("loses nothing when the mail server is down for two days", async () => {
    const db = await freshDatabase();
    const mails = outbox(db);
    await post(db, mails);
    const upAgainAt = Date.now() + 2 * DAY_MS;
    const sent: StoredMail[] = [];
    start(mails, async (mail) => {
      if (Date.now() < upAgainAt) throw new Error("no route to the mail server");
      sent.push(mail);
    });
    await wait(3 * DAY_MS);
    expect(sent).toMatchObject([MAIL]);
  });

  it("does not retry a permanent refusal, and continues with the next mail", async () => {
    const db = await freshDatabase();
    const mails = outbox(db);
    await post(db, mails, { ...MAIL, to: "nobody@example.org" });
    await post(db, mails);
    const tried: string[] = [];
    const { events } = start(mails, async ({ to }) => {
      tried.push(to);
      if (to === "nobody@example.org") throw Object.assign(new Error("no such mailbox"), { permanent: true });
    });
    await wait(DAY_MS);
    expect(tried.sort()).toEqual([MAIL.to, "nobody@example.org"]);
    expect(events).toEqual(["mail given up"]);
  });

  it("keeps failed mails for a month for the operator, and waiting ones for longer", async () => {
    const db = await freshDatabase();
    const mails = outbox(db);
    await post(db, mails);
    await mails.failed((await mails.take())?.id ?? "", "no such mailbox", null);
    await post(db, mails);
    const count = async () => (await db.selectFrom("mail").select("id").execute()).length;
    await mails.deleteExpired(Date.now() + 30 * DAY_MS - 1);
    expect(await count()).toBe(2);
    await mails.deleteExpired(Date.now() + 30 * DAY_MS);
    expect(await count()).toBe(1);
    expect(await mails.take()).toMatchObject(MAIL);
  });

  it("continues after a database failure", async () => {
    const db = await freshDatabase();
    const mails = outbox(db);
    await post(db, mails);
    vi.spyOn(mails, "take").mockRejectedValueOnce(new Error("database is locked"));
    const sent: StoredMail[] = [];
    const { events } = start(mails, async (mail) => void sent.push(mail));
    await wait(0);
    expect(events).toEqual(["outbox could not be read or written"]);
    await wait(MINUTE_MS);
    expect(sent).toMatchObject([MAIL]);
  });

  it("finishes the current mail before it stops, and sends no other", async () => {
    const db = await freshDatabase();
    const mails = outbox(db);
    await post(db, mails, { ...MAIL, subject: "first" });
    vi.setSystemTime(Date.now() + 1);
    await post(db, mails, { ...MAIL, subject: "second" });
    let finish = () => {};
    const sent: string[] = [];
    const { mailWorker, mailer } = start(mails, async ({ subject }) => {
      await new Promise<void>((resolve) => (finish = resolve));
      sent.push(subject);
    });
    await wait(0);
    const stopped = mailWorker.stop();
    finish();
    await stopped;
    await wait(DAY_MS);
    expect(sent).toEqual(["first"]);
    expect(mailer.close).toHaveBeenCalled();
    expect(await db.selectFrom("mail").select("attempts").execute()).toEqual([{ attempts: 0 }]);
  });
});

describe("the list of mails for the operator", () => {
  it("names recipient, subject and attempts, never the text; given up mails come first", async () => {
    const db = await freshDatabase();
    const box = createSecretBox(["a secret"]);
    const mails = createMails({ db, box });
    for (const to of ["a@example.org", "b@example.org"]) await post(db, mails, { ...MAIL, to });
    await post(db, createMails({ db, box: createSecretBox(["a lost secret"]) }));
    const taken = [await mails.take(), await mails.take()];
    await mails.failed(taken.find((mail) => mail?.to === "b@example.org")?.id ?? "", "550 unknown", null);
    const { mails: rows, total } = await createOutboxList({ db, box }).list({ offset: 0, limit: 10 });
    expect(rows.map(({ to, subject, attempts, nextAt, error }) => ({ to, subject, attempts, isGivenUp: nextAt === null, error }))).toEqual([
      { to: "b@example.org", subject: MAIL.subject, attempts: 1, isGivenUp: true, error: "550 unknown" },
      { to: null, subject: null, attempts: 0, isGivenUp: false, error: null },
      { to: "a@example.org", subject: MAIL.subject, attempts: 1, isGivenUp: false, error: null },
    ]);
    expect(total).toBe(3);
    expect(JSON.stringify(rows)).not.toContain("token=");
  });

  it("makes a mail due that was given up, with as many attempts as a new one", async () => {
    const db = await freshDatabase();
    const box = createSecretBox(["a secret"]);
    const mails = createMails({ db, box });
    await post(db, mails);
    const { id = "" } = (await mails.take()) ?? {};
    await mails.failed(id, "550 unknown", null);
    expect(await mails.take()).toBeNull();
    const onDue = vi.fn();
    const list = createOutboxList({ db, box, onDue });
    await db.transaction().execute((trx) => list.sendNow(trx, id));
    expect(await mails.take()).toMatchObject({ ...MAIL, id, attempts: 1 });
    await new Promise((resolve) => void setImmediate(resolve));
    expect(onDue).toHaveBeenCalledOnce();
    await db.transaction().execute((trx) => list.remove(trx, id));
    expect(await list.find(id)).toBeUndefined();
  });
});
