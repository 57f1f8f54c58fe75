import { describe, expect, it } from "vitest";
import { emailKey, parseEmailAddress } from "~/platform/forms/email-address";

describe("an e-mail address", () => {
  it.each([
    ["anna@example.org", "anna@example.org"],
    ["  anna@example.org\n", "anna@example.org"],
    ["Anna.Meyer@Example.ORG", "Anna.Meyer@example.org"],
    ["anna+rampe@example.org", "anna+rampe@example.org"],
    ["a.b.c@mail.shop.example.co.uk", "a.b.c@mail.shop.example.co.uk"],
    ["o'neill@example.org", "o'neill@example.org"],
    ["!#$%&'*+-/=?^_`{|}~@example.org", "!#$%&'*+-/=?^_`{|}~@example.org"],
    ["1@example.org", "1@example.org"],
    ["a@1and1.example", "a@1and1.example"],
    ["info@bäckerei-krause.de", "info@xn--bckerei-krause-5hb.de"],
    ["info@BÄCKEREI-KRAUSE.de", "info@xn--bckerei-krause-5hb.de"],
    ["info@straße.example", "info@xn--strae-oqa.example"],
    ["jürgen@example.org", "jürgen@example.org"],
    ["почта@пример.рф", "почта@xn--e1afmkfd.xn--p1ai"],
  ])("%j is read as %j", (typed, address) => {
    expect(parseEmailAddress(typed)).toBe(address);
  });

  it("is the same, whether its umlauts are one character or two", () => {
    const typed = "jürgen@bäckerei.example";
    expect(parseEmailAddress(typed.normalize("NFD"))).toBe(parseEmailAddress(typed.normalize("NFC")));
  });

  it.each([
    "",
    " ",
    "@",
    "anna",
    "anna@",
    "@example.org",
    "anna@example",
    "anna@localhost",
    "anna@@example.org",
    "anna@b@example.org",
    "anna example@example.org",
    "anna@exam ple.org",
    ".anna@example.org",
    "anna.@example.org",
    "an..na@example.org",
    "anna@.example.org",
    "anna@example..org",
    "anna@example.org.",
    "anna@example.org,ben@example.org",
    "anna@example.org;ben@example.org",
    "Anna <anna@example.org>",
    '"anna"@example.org',
    "mailto:anna@example.org",
    "anna@[192.0.2.1]",
    "anna@192.0.2.1",
    "anna@2130706433.1",
    "anna@0x7f.1",
    "anna@example.org:25",
    "anna@example.org/path",
    "anna@example.org?x",
    "anna@example.org#x",
    "anna@exa\\mple.org",
    "anna@user:pass@example.org",
    "anna@exa%00mple.org",
    "anna@example.1",
    `${"a".repeat(250)}@example.org`,
  ])("%j is not an e-mail address", (typed) => {
    expect(parseEmailAddress(typed)).toBeNull();
  });

  it.each([
    "anna@example.org\r\nBcc: ben@example.org",
    "anna\r\nBcc:ben@example.org",
    "anna@example.org\nRCPT TO:<ben@example.org>",
    "anna\u0000@example.org",
    "anna\u0008@example.org",
    "anna\u007f@example.org",
    "anna\u0085@example.org",
    "an\u2028na@example.org",
    "anna@example\u0000.org",
    "anna@exam\tple.org",
  ])("%j adds no line and no control character to a mail", (typed) => {
    expect(parseEmailAddress(typed)).toBeNull();
  });

  it.each(["an\u200bna@example.org", "anna\u202egro@example.org", "\u2066anna@example.org", "an\u00adna@example.org"])(
    "%j cannot imitate another one with invisible characters",
    (typed) => {
      expect(parseEmailAddress(typed)).toBeNull();
    },
  );

  it("a very long text is judged quickly", () => {
    for (const part of ["a", "a.", ".", "@", "a@", "a@a."]) expect(parseEmailAddress(part.repeat(100_000))).toBeNull();
  });
});

describe("two spellings of one mailbox", () => {
  it("have one key, different from other mailboxes", () => {
    expect(emailKey("Anna.Meyer@example.org")).toBe(emailKey("anna.meyer@example.org"));
    expect(emailKey("JÜRGEN@example.org")).toBe(emailKey("jürgen@example.org"));
    expect(emailKey("annameyer@example.org")).not.toBe(emailKey("anna.meyer@example.org"));
    expect(emailKey("anna+1@example.org")).not.toBe(emailKey("anna@example.org"));
  });

  it("have one key after repeated normalisation", () => {
    const address = parseEmailAddress("Anna@BÄCKEREI.example") ?? "";
    expect(parseEmailAddress(address)).toBe(address);
    expect(emailKey(address)).toBe("anna@xn--bckerei-5wa.example");
  });

  it("do not match look-alike letters", () => {
    // U+212A is the Kelvin sign, U+0131 the dotless i: some lower-case tables convert both into plain letters.
    expect(emailKey(parseEmailAddress("m\u0131ke@example.org") ?? "")).not.toBe("mike@example.org");
    expect(parseEmailAddress("mi\u212ae@example.org")).toBe("miKe@example.org");
  });
});
