import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { createFileMailer, deleteOldMailFiles } from "~/mail/file-mailer.server";
import { writeLetter } from "~/mail/letters.server";

const DAY_MS = 86_400_000;
const MAIL = { to: "anna@example.org", subject: "Bitte bestätigen", text: "https://rampe.example/?token=opens-an-account\n" };

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

describe("without a mail server, a mail", () => {
  const STORED = { ...MAIL, id: "abc", createdAt: Date.UTC(2026, 0, 2, 3, 4, 5), attempts: 1 };

  function fileMailer() {
    const parent = mkdtempSync(path.join(tmpdir(), "rampe-test-"));
    onTestFinished(() => rmSync(parent, { recursive: true }));
    const folder = path.join(parent, "outbox");
    const mailer = createFileMailer({ folder, from: "Rampe <rampe@rampe.example>" });
    onTestFinished(() => mailer.close());
    return { folder, mailer, only: () => readFileSync(path.join(folder, readdirSync(folder)[0] ?? ""), "utf8") };
  }

  it("is a file that mail programs open, for the server's user alone", async () => {
    const { folder, mailer, only } = fileMailer();
    await mailer.deliver(STORED);
    expect(readdirSync(folder)).toEqual(["2026-01-02T03-04-05-000Z-abc.eml"]);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(path.join(folder, "2026-01-02T03-04-05-000Z-abc.eml")).mode & 0o777).toBe(0o600);
    const [head = "", body] = only().split("\r\n\r\n");
    expect(head).toContain("From: Rampe <rampe@rampe.example>");
    expect(head).toContain("To: anna@example.org");
    expect(head).toContain("Message-ID: <abc@rampe.example>");
    expect(head).toContain("Date: Fri, 02 Jan 2026 03:04:05 +0000");
    expect(head).toContain("Auto-Submitted: auto-generated");
    expect(body).toContain("token");
  });

  it("is one file, however often it is delivered", async () => {
    const { folder, mailer } = fileMailer();
    await mailer.deliver(STORED);
    await mailer.deliver({ ...STORED, attempts: 2 });
    expect(readdirSync(folder)).toHaveLength(1);
  });

  it("is deleted after a month, also if another one goes away meanwhile", async () => {
    const { folder, mailer } = fileMailer();
    await mailer.deliver(STORED);
    // Reading it fails like reading a deleted file.
    symlinkSync("nowhere", path.join(folder, "2026-01-01-gone.eml"));
    vi.setSystemTime(Date.now() + 31 * DAY_MS);
    await deleteOldMailFiles(folder);
    expect(readdirSync(folder)).toEqual(["2026-01-01-gone.eml"]);
  });

  it.each([
    ["to", "anna@example.org\r\nBcc: ben@example.org"],
    ["subject", "Hello\r\nBcc: ben@example.org"],
    ["subject", "Hello\r\n\r\n<b>body</b>"],
  ])("gets no other recipient and no other text by its %s", async (field, value) => {
    const { mailer, only } = fileMailer();
    await mailer.deliver({ ...STORED, [field]: value });
    const [head = "", body = ""] = only().split("\r\n\r\n");
    expect(head).not.toMatch(/^Bcc:/im);
    expect(body).not.toContain("<b>");
  });

  it("contains no line injected by a stranger", () => {
    const { text } = writeLetter("email_changed", "de", { email: "x@example.org\r\n\r\nZahlen Sie hier: \u202e" });
    expect(text).not.toMatch(/^Zahlen/m);
    expect(text).not.toContain("\u202e");
  });
});
