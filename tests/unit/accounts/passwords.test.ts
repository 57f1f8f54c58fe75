import * as crypto from "node:crypto";
import { once } from "node:events";
import { promisify } from "node:util";
import type { Worker } from "node:worker_threads";
import { beforeEach, describe, expect, it } from "vitest";
import { createBackgroundScrypt, startThread } from "~/accounts/passwords/background-scrypt.server";
import { queueEntryOf } from "~/accounts/passwords/password-queue.server";
import { passwordProblem } from "~/accounts/passwords/password-rules.server";
import { createPasswords, type Scrypt } from "~/accounts/passwords/passwords.server";

const CHEAP = { N: 16, r: 1, p: 1 };
const GOOD = "vier warme Brötchen";

/** Records every derivation, and the maximum number at the same time. */
const work = { derivations: [] as object[], running: 0, mostAtOnce: 0 };
const inPool: Scrypt = promisify(crypto.scrypt);

const scrypt: Scrypt = async (password, salt, length, options) => {
  const { N, r, p } = options;
  work.derivations.push({ N, r, p });
  work.running += 1;
  work.mostAtOnce = Math.max(work.mostAtOnce, work.running);
  return inPool(password, salt, length, options).finally(() => (work.running -= 1));
};

const personTurn = (index: number) => queueEntryOf({ email: "somebody@example.org", address: `192.0.${index}.1`, browser: null });

beforeEach(() => void Object.assign(work, { derivations: [], running: 0, mostAtOnce: 0 }));

describe("a stored password", () => {
  it("matches only the same password", async () => {
    const passwords = createPasswords({ cost: CHEAP, scrypt });
    const stored = await passwords.hash(GOOD);
    expect(await passwords.matches(GOOD, stored)).toBe(true);
    for (const other of ["", `${GOOD} `, GOOD.toUpperCase(), GOOD.slice(0, -1), stored]) {
      expect(await passwords.matches(other, stored)).toBe(false);
    }
  });

  it("is different each time, and does not contain the password", async () => {
    const passwords = createPasswords({ cost: CHEAP, scrypt });
    const [first, second] = [await passwords.hash(GOOD), await passwords.hash(GOOD)];
    expect(first).toMatch(/^\$scrypt\$ln=4,r=1,p=1\$[\w+/]{22}==\$[\w+/]{43}=$/);
    expect(first.split("$")[3]).not.toBe(second.split("$")[3]);
    expect(first).not.toBe(second);
  });

  it("is the same for an umlaut as one character and as two", async () => {
    const passwords = createPasswords({ cost: CHEAP, scrypt });
    const stored = await passwords.hash(GOOD.normalize("NFC"));
    expect(await passwords.matches(GOOD.normalize("NFD"), stored)).toBe(true);
  });

  it("stays valid after the cost was raised, and matches nothing if damaged", async () => {
    const stored = await createPasswords({ cost: CHEAP, scrypt }).hash(GOOD);
    const dearer = createPasswords({ cost: { N: 32, r: 2, p: 1 }, scrypt });
    expect(await dearer.matches(GOOD, stored)).toBe(true);
    await expect(dearer.matches(GOOD, "")).rejects.toThrow("no scrypt hash");
    await expect(dearer.matches(GOOD, GOOD)).rejects.toThrow("no scrypt hash");
  });

  it("costs at least what OWASP recommends, unless configured otherwise", async () => {
    await createPasswords({ scrypt }).hash(GOOD);
    expect(work.derivations).toEqual([{ N: 2 ** 15, r: 8, p: 3 }]);
  });
});

describe("a password check", () => {
  it("takes one derivation without an account too, and never matches", async () => {
    const passwords = createPasswords({ cost: CHEAP, scrypt });
    const stored = await passwords.hash(GOOD);
    work.derivations.length = 0;
    expect(await passwords.matches("wrong", stored)).toBe(false);
    expect(await passwords.matches("wrong", null)).toBe(false);
    expect(await passwords.matches("", null)).toBe(false);
    expect(work.derivations).toEqual([CHEAP, CHEAP, CHEAP]);
  });

  it("runs one at a time, and twenty at once all get their answer", async () => {
    const passwords = createPasswords({ cost: CHEAP, scrypt });
    const stored = await passwords.hash(GOOD);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => passwords.queuedAs(personTurn(index)).matches(index % 2 ? GOOD : "wrong", index % 3 ? stored : null)),
    );
    expect(answers).toEqual(Array.from({ length: 20 }, (_, index) => index % 2 === 1 && index % 3 !== 0));
    expect(work.mostAtOnce).toBe(1);
  });

  it("continues after a failure", async () => {
    const passwords = createPasswords({ cost: CHEAP, scrypt });
    const failed = passwords.matches(GOOD, "damaged");
    const next = passwords.hash(GOOD);
    await expect(failed).rejects.toThrow();
    expect(await passwords.matches(GOOD, await next)).toBe(true);
  });
});

describe("the worker thread", () => {
  function background(kill: (thread: Worker, count: number) => void = () => {}) {
    const threads: Worker[] = [];
    const start = () => {
      const thread = startThread();
      kill(thread, threads.push(thread));
      return thread;
    };
    return { threads, passwords: createPasswords({ cost: CHEAP, scrypt: createBackgroundScrypt({ start, idleMs: 0 }) }) };
  }

  it("loses no sign-in when it dies, working or idle", async () => {
    const stored = await createPasswords({ cost: CHEAP }).hash(GOOD);
    const { threads, passwords } = background((thread, count) => count === 1 && void thread.terminate());
    const answers = [GOOD, "wrong", GOOD].map((password) => passwords.matches(password, stored));
    await expect(Promise.all(answers)).resolves.toEqual([true, false, true]);
    expect(threads).toHaveLength(2);
    await threads[1]?.terminate();
    expect(await passwords.matches(GOOD, stored)).toBe(true);
  });

  it("runs only while there is work, and reports errors", async () => {
    const { threads, passwords } = background();
    expect(threads).toHaveLength(0);
    await passwords.hash(GOOD);
    await once(threads[0] as Worker, "exit");
    await expect(passwords.matches(GOOD, "$scrypt$ln=0,r=1,p=1$AAAA$AAAA")).rejects.toThrow(/scrypt/i);
    expect(await passwords.matches(GOOD, null)).toBe(false);
  });
});

describe("a new password", () => {
  const problemOf = (password: string, ...personal: string[]) => passwordProblem(password, personal);

  it.each([
    GOOD,
    "drei kleine worte",
    "  blanks around it  ",
    "correcthorsebatterystaple",
    "nurkleinbuchstaben ohne ziffern",
    "8401 7726 3950",
    "öäüßÖÄÜéñçøå",
    "пароль длинный",
    "🦔🐝🌲🍞🚲📚🎹🪁🧭⛵🧩🥨",
    "xK9#mP2$vL5@",
  ])("may be %j: only length and common guesses matter", (password) => {
    expect(problemOf(password)).toBeUndefined();
  });

  it("has at least twelve characters as a reader counts them", () => {
    expect(problemOf("")).toBe("password_short");
    expect(problemOf("elf Zeichen")).toBe("password_short");
    expect(problemOf("zwölf Zeichn".normalize("NFC"))).toBeUndefined();
    // A separate diaeresis character would make it twelve characters long.
    expect(problemOf("zwölf Zeich".normalize("NFD"))).toBe("password_short");
    expect(problemOf("🦔🐝🌲🍞🚲📚🎹🪁🧭⛵🧩")).toBe("password_short");
  });

  it("has 256 characters at most", () => {
    const long = "Ein Satz ohne Ende. ".repeat(13);
    expect(problemOf(long.slice(0, 256))).toBeUndefined();
    expect(problemOf(long.slice(0, 257))).toBe("password_long");
    expect(problemOf("ö".normalize("NFD").repeat(200))).not.toBe("password_long");
  });

  it.each([
    "password1234",
    "Passwort2026",
    "PasswortPasswort",
    "ichliebedich",
    "Willkommen123",
    "fussball1234",
    "qwertzuiop123",
    "1q2w3e4r5t6y",
    "iloveyou1234",
    "123456789012",
  ])("must not be %j, which is common", (password) => {
    expect(problemOf(password)).toBe("password_common");
  });

  it.each(["aaaaaaaaaaaaa", "abcababcabcb", "abcdeabcdeabcde", "hallohallohallo", "12.12.12.12.12.", "ööööööööööööö"])(
    "must not be %j, which repeats itself",
    (password) => {
      expect(problemOf(password)).toBe("password_simple");
    },
  );

  it.each(["abcdefghijklm", "nmlkjihgfedcba", "zyxwvutsrqpon", "EFGHIJKLMNOPQ", "uiopasdfghjkl", "45678901234567"])(
    "must not be %j, which is a row of keys or letters",
    (password) => {
      expect(problemOf(password)).toBe("password_simple");
    },
  );

  it.each([
    ["Annegret1234", "Annegret Meyer", "x@example.org"],
    ["meyer-ANNEGRET", "Annegret Meyer", "x@example.org"],
    ["annegret.meyer", "A. M.", "annegret.meyer@example.org"],
    ["bäckerei-krause", "A. M.", "info@bäckerei-krause.example"],
    ["RampeRampe12", "A. M.", "x@example.org"],
    ["jürgen jürgen", "Jürgen", "x@example.org"],
    ["petersen1234", "Peter Petersen", "x@example.org"],
    ["mustermann12", "Jo Muster", "jo.mustermann@example.org"],
  ])("must not be %j for %s with %s, which is little more than their name", (password, ...personal) => {
    expect(problemOf(password, ...personal)).toBe("password_personal");
  });

  it("must not be one's name with another Unicode encoding", () => {
    expect(problemOf("günther-öhlert", "Günther Öhlert".normalize("NFD"))).toBe("password_personal");
    expect(problemOf("günther-öhlert".normalize("NFD"), "Günther Öhlert".normalize("NFC"))).toBe("password_personal");
  });

  it("may contain a name, or part of another word", () => {
    expect(problemOf("Annegret mag warme Brötchen", "Annegret Meyer", "annegret@example.org")).toBeUndefined();
    expect(problemOf("der Tag ist schön", "Jo Ist", "tag@der.example")).toBeUndefined();
    expect(problemOf("vier warme Brötchen", "", "@")).toBeUndefined();
  });
});
