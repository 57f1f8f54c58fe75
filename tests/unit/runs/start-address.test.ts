import { describe, expect, it } from "vitest";
import { parseStartAddress } from "~/platform/web/start-address";
import { createAddressPolicy } from "~/scan/network/address-policy";

const parse = (typed: string, allowPrivate: string[] = []) =>
  parseStartAddress(typed, createAddressPolicy(allowPrivate).refuses);

const long = (length: number) => `https://example.com/${"a".repeat(length - "https://example.com/".length)}`;

describe("typed addresses are understood", () => {
  it.each([
    // A complete address, and one without scheme
    ["https://example.com/", "https://example.com/"],
    ["http://example.com/", "http://example.com/"],
    ["example.com", "https://example.com/"],
    ["www.example.de", "https://www.example.de/"],
    ["example.com/path/page.html?a=1&b=2", "https://example.com/path/page.html?a=1&b=2"],
    ["example.com?a=https://example.org", "https://example.com/?a=https://example.org"],
    ["https.example.com", "https://https.example.com/"],
    ["http.example.com/x", "https://http.example.com/x"],
    // Fragment: only a position on the page
    ["https://example.com/#imprint", "https://example.com/"],
    ["example.com/a#b?c", "https://example.com/a"],
    // Capitals
    ["HTTPS://EXAMPLE.COM/Path", "https://example.com/Path"],
    ["Http://Example.com", "http://example.com/"],
    ["EXAMPLE.COM", "https://example.com/"],
    // Spaces, tabs and line breaks
    ["  example.com  ", "https://example.com/"],
    ["\texample.com\r\n", "https://example.com/"],
    ["https:// example.com", "https://example.com/"],
    ["https :// example.com", "https://example.com/"],
    ["example .com", "https://example.com/"],
    ["www. example.com / path", "https://www.example.com/path"],
    ["https://example.com/a\n  /very/long\n  /path", "https://example.com/a/very/long/path"],
    ["https://exam\nple.com/", "https://example.com/"],
    ["https://example.com/my page", "https://example.com/my%20page"],
    ["example.com/part 1. first / second", "https://example.com/part%201.%20first%20/%20second"],
    ["\u00a0example.com\u00a0", "https://example.com/"],
    // Invisible characters
    ["\ufeffhttps://example.com/", "https://example.com/"],
    ["ex\u200bample\u200c.com\u200d", "https://example.com/"],
    ["\u202ahttps://example.com/\u202c", "https://example.com/"],
    ["exam\u00adple.com", "https://example.com/"],
    ["example.com\u0000", "https://example.com/"],
    // Slashes
    ["//example.com", "https://example.com/"],
    ["///example.com", "https://example.com/"],
    ["http:/example.com", "http://example.com/"],
    ["http:example.com", "http://example.com/"],
    ["https:///example.com", "https://example.com/"],
    ["https//example.com", "https://example.com/"],
    ["https\\\\example.com", "https://example.com/"],
    ["https:\\\\example.com\\path", "https://example.com/path"],
    ["https://https://example.com", "https://example.com/"],
    ["https://http://example.com/a", "http://example.com/a"],
    // Full stops and commas
    ["www.example.de.", "https://www.example.de/"],
    ["https://example.com.", "https://example.com/"],
    ["https://example.com./path", "https://example.com/path"],
    ["https://example.com/path.", "https://example.com/path"],
    ["example.com,", "https://example.com/"],
    ["example.com;", "https://example.com/"],
    ["example.com!", "https://example.com/"],
    ["example.com?", "https://example.com/"],
    ["example.com.,", "https://example.com/"],
    ["https://example.com/?q=", "https://example.com/?q="],
    // Quotation marks and brackets
    ['"https://example.com/"', "https://example.com/"],
    ["'example.com'", "https://example.com/"],
    ["`example.com`", "https://example.com/"],
    ["„example.com“", "https://example.com/"],
    ["“example.com”", "https://example.com/"],
    ["»example.com«", "https://example.com/"],
    ["« example.com »", "https://example.com/"],
    ["<https://example.com/>", "https://example.com/"],
    ["(https://example.com/).", "https://example.com/"],
    ["{example.com}", "https://example.com/"],
    ["https://example.org/wiki/Ramp_(disambiguation)", "https://example.org/wiki/Ramp_(disambiguation)"],
    ["(https://example.org/wiki/Ramp_(disambiguation))", "https://example.org/wiki/Ramp_(disambiguation)"],
    // Umlauts and other scripts
    ["bücher.example", "https://xn--bcher-kva.example/"],
    ["https://MÜLLER.example/Straße", "https://xn--mller-kva.example/Stra%C3%9Fe"],
    ["straße.example", "https://xn--strae-oqa.example/"],
    ["münchen。example", "https://xn--mnchen-3ya.example/"],
    ["ｅｘａｍｐｌｅ．ｃｏｍ", "https://example.com/"],
    ["пример.испытание", "https://xn--e1afmkfd.xn--80akhbyknj4f/"],
    ["xn--bcher-kva.example", "https://xn--bcher-kva.example/"],
    // Ports
    ["https://example.com:443/", "https://example.com/"],
    ["http://example.com:80", "http://example.com/"],
    ["example.com:80", "http://example.com/"],
    ["example.com:443/x", "https://example.com/x"],
    ["example.com:8443", "https://example.com:8443/"],
    ["example.com:8080/x", "http://example.com:8080/x"],
    ["example.com :8080", "http://example.com:8080/"],
    ["example.com:", "https://example.com/"],
    ["https://example.com:8080", "https://example.com:8080/"],
    // Public addresses
    ["8.8.8.8", "http://8.8.8.8/"],
    ["https://8.8.8.8/", "https://8.8.8.8/"],
    ["[2606:4700::1111]", "http://[2606:4700::1111]/"],
    ["http://[2606:4700::1111]:8080/x", "http://[2606:4700::1111]:8080/x"],
    // Unusual names that exist
    ["my_shop.example.com", "https://my_shop.example.com/"],
    ["a--b.example.com", "https://a--b.example.com/"],
    ["https://example.com/@user", "https://example.com/@user"],
    ["example.com/mail?to=a@b.example", "https://example.com/mail?to=a@b.example"],
    ["example.com/a:b", "https://example.com/a:b"],
  ])("%j is %s", (typed, url) => {
    expect(parse(typed)).toEqual({ ok: true, url });
  });

  it("the result is the same address when typed again", () => {
    for (const typed of [
      "bücher.example/ä ö?ü=ß#x",
      "www.example.de.",
      "8.8.8.8:8080",
      "[2606:4700::1111]",
    ]) {
      const first = parse(typed);
      expect(first.ok && parse(first.url)).toEqual(first);
    }
  });
});

describe("invalid addresses have different reasons", () => {
  it.each([
    [
      "missing",
      ["", " ", "\n\t", "\u200b", '""', "<>", ".", "https://", "http:/", "//", "https"].slice(0, 10),
    ],
    [
      "not_an_address",
      [
        "example",
        "https://example/",
        "my website",
        "my website example.com",
        "https://example org.com/",
        "https://.example.com",
        "example..com",
        "-example.com",
        "example-.com",
        "exa*mple.com",
        "exam$ple.com",
        "example.com|x",
        "exam%ple.com",
        "exa%00mple.com",
        "xn--a.example",
        "1.2.3.4.5",
        "256.1.1.1",
        "example.123",
        "[::1",
        "[example.com]",
        "[::1%25lo]",
        "https://?q=a.b",
        "https://#a.b",
        "me@example.com",
        `${"a".repeat(64)}.example`,
        `${"a.".repeat(130)}example`,
      ],
    ],
    [
      "scheme",
      [
        "file:///etc/passwd",
        "FILE:///etc/passwd",
        " file:/etc/passwd",
        '"file:///etc/passwd"',
        "fi\u200ble:///etc/passwd",
        "fi\nle:///etc/passwd",
        "data:text/html,<h1>Hello</h1>",
        "data:text/html;base64,PGgxPg==",
        "data:,a@b.example",
        "javascript:alert(1)",
        "java\nscript:alert(1)",
        "JaVaScRiPt://example.com/%0aalert(1)",
        "javascript:alert('a@b.example')",
        "view-source:https://example.com",
        "chrome://version",
        "chrome-extension://abcdef/index.html",
        "devtools://devtools/bundled/inspector.html",
        "about:blank",
        "blob:https://example.com/1234",
        "filesystem:https://example.com/temporary/x",
        "ftp://example.com/",
        "sftp://example.com",
        "ssh://git@example.com",
        "gopher://example.com:70/",
        "dict://example.com:2628/",
        "ldap://example.com",
        "ws://example.com",
        "wss://example.com",
        "mailto:me@example.com",
        "sip:me@example.com",
        "tel:+4930123456",
        "urn:isbn:0451450523",
        "intent://example.com#Intent;scheme=http;end",
        "C:\\Users\\me\\index.html",
        "httpx://example.com",
        "htps://example.com",
        "Website: example.com",
      ],
    ],
    [
      "credentials",
      [
        "https://user:secret@example.com",
        "https://user@example.com",
        "http://:secret@example.com",
        "user:secret@example.com",
        "//user:secret@example.com",
        "https://example.com@example.org/",
        "https://example.com:80@127.0.0.1/",
        "https:\\\\user@example.com",
        "https://%75ser@example.com/",
      ],
    ],
    [
      "port",
      [
        "example.com:0",
        "example.com:22",
        "example.com:25",
        "https://example.com:110/",
        "example.com:81",
        "example.com:3306",
        "http://example.com:5432/",
        "example.com:6379",
        "example.com:2375",
        "example.com:3389",
        "example.com:9200",
        "example.com:27017",
        "example.com:65536",
        "example.com:99999/x",
        "https://example.com:123456",
        "example.com:http",
        "8.8.8.8:53",
        "[2606:4700::1111]:22",
      ],
    ],
    [
      "private",
      [
        "localhost",
        "LOCALHOST",
        "localhost.",
        "localhost:3000",
        "http://localhost:8080/x",
        "app.localhost",
        "printer.local",
        "vault.internal",
        "metadata.google.internal",
        "nas.lan",
        "127.0.0.1",
        "127.0.0.1.",
        "127.0.0.1:22",
        "http://127.0.0.1:3000/",
        "127.1",
        "127.0.1",
        "0",
        "0.0.0.0",
        "2130706433",
        "http://2130706433/",
        "017700000001",
        "0177.0.0.1",
        "0177.0000.0000.0001",
        "0x7f000001",
        "0x7f.0x0.0x0.0x1",
        "0x7F.1",
        "0177.0x0.1",
        "１２７.０.０.１",
        "①②⑦.⓪.⓪.①",
        "127。0。0。1",
        "127%2e0%2e0%2e1",
        "%6cocalhost",
        "ｌｏｃａｌｈｏｓｔ",
        "local\u200bhost",
        "10.0.0.1",
        "167772161",
        "172.16.0.1",
        "192.168.1.1",
        "3232235777",
        "100.64.0.1",
        "169.254.169.254",
        "http://169.254.169.254/latest/meta-data/",
        "2852039166",
        "0xa9fea9fe",
        "0251.0376.0251.0376",
        "100.100.100.200",
        "168.63.129.16",
        "198.18.0.1",
        "224.0.0.1",
        "255.255.255.255",
        "[::]",
        "[::1]",
        "http://[::1]:3000/",
        "[0:0:0:0:0:0:0:1]",
        "[::127.0.0.1]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "[::ffff:a9fe:a9fe]",
        "[0000:0000:0000:0000:0000:ffff:7f00:0001]",
        "[64:ff9b::7f00:1]",
        "[2002:7f00:1::]",
        "[2001::7f00:1]",
        "[fd00:ec2::254]",
        "[fe80::1]",
        "[fc00::1]",
        "[ff02::1]",
        "\\\\127.0.0.1\\c$",
        "https://https://127.0.0.1",
      ],
    ],
    [
      "too_long",
      [
        long(2_049),
        `example.com/${"a".repeat(3_000)}`,
        `example.com/${"ä".repeat(500)}`,
        "a".repeat(100_000),
      ],
    ],
  ] as const)("%s", (problem, texts) => {
    for (const typed of texts) expect(parse(typed), JSON.stringify(typed)).toEqual({ ok: false, problem });
  });

  it("an address of exactly 2,048 characters is not too long", () => {
    expect(parse(long(2_048))).toEqual({ ok: true, url: long(2_048) });
  });
});

describe("addresses listed by the operator can be typed", () => {
  it.each([
    ["localhost:3000", ["localhost"], "http://localhost:3000/"],
    ["localhost", ["localhost"], "http://localhost/"],
    ["localhost:3000", ["localhost:3000"], "http://localhost:3000/"],
    ["127.0.0.1:3000/a", ["127.0.0.1:3000"], "http://127.0.0.1:3000/a"],
    ["https://127.0.0.1:3000/a", ["127.0.0.1:3000"], "https://127.0.0.1:3000/a"],
    ["0x7f.1:3000", ["127.0.0.1:3000"], "http://127.0.0.1:3000/"],
    ["[::1]:3000", ["[::1]:3000"], "http://[::1]:3000/"],
    ["10.1.2.3", ["10.0.0.0/8"], "http://10.1.2.3/"],
    ["wiki.internal", ["10.0.0.0/8"], "https://wiki.internal/"],
    ["intranet", ["intranet"], "https://intranet/"],
    ["intranet/start", ["intranet"], "https://intranet/start"],
    ["intranet:8080", ["intranet"], "http://intranet:8080/"],
    ["example.com:25", ["example.com:25"], "http://example.com:25/"],
  ])("%s with %j", (typed, allowPrivate, url) => {
    expect(parse(typed, allowPrivate)).toEqual({ ok: true, url });
  });

  it.each([
    ["localhost:3001", ["localhost:3000"], "private"],
    ["localhost:25", ["localhost"], "port"],
    ["127.0.0.2", ["127.0.0.1"], "private"],
    ["intranet", ["other"], "not_an_address"],
  ])("%s is not allowed by %j", (typed, allowPrivate, problem) => {
    expect(parse(typed, allowPrivate)).toEqual({ ok: false, problem });
  });
});

it("a long invalid text is read as quickly as any other", () => {
  const start = performance.now();
  for (const text of [" ", "\n", ".", "(", ")", "/", "http:", "a:", "@", "\u200b", "((", "a.", "„"]) {
    parse(text.repeat(100_000));
    parse(`x${text.repeat(100_000)}x`);
    parse(`x${"!".repeat(2_730)}${text.repeat(1_365 / text.length)}`);
  }
  expect(performance.now() - start).toBeLessThan(2_000);
});
