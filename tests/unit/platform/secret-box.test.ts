import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createSecretBox } from "~/platform/crypto/secret-box.server";
import { storedSecrets } from "~/platform/crypto/session-secrets.server";

describe("encrypted text", () => {
  it.each(["", "a token", "Brötchen 🥨", "x".repeat(100_000)])("can be decrypted", (text) => {
    const box = createSecretBox(["secret"]);
    expect(box.open(box.seal(text, "mail 1"), "mail 1")).toBe(text);
  });

  it("does not contain the text, and is different each time", () => {
    const box = createSecretBox(["secret"]);
    const [first, second] = [box.seal("a token", "mail 1"), box.seal("a token", "mail 1")];
    expect(first).not.toBe(second);
    expect(Buffer.from(first.split(".")[1] ?? "", "base64url").includes("token")).toBe(false);
  });

  it("can only be decrypted for its own purpose", () => {
    const box = createSecretBox(["secret"]);
    const sealed = box.seal("a token", "tokens of-anna");
    expect(box.open(sealed, "tokens of-ben")).toBeNull();
    expect(box.open(sealed, "kept of-anna")).toBeNull();
    expect(box.open(sealed, "")).toBeNull();
  });

  it("cannot be decrypted with another secret", () => {
    const sealed = createSecretBox(["secret"]).seal("a token", "mail 1");
    expect(createSecretBox(["another"]).open(sealed, "mail 1")).toBeNull();
  });

  it("is sealed again only if an older secret had sealed it", () => {
    const sealed = createSecretBox(["old"]).seal("a token", "mail 1");
    const box = createSecretBox(["new", "old"]);
    const renewed = box.renew(sealed, "mail 1") ?? "";
    expect(createSecretBox(["new"]).open(renewed, "mail 1")).toBe("a token");
    expect([box.renew(renewed, "mail 1"), box.renew(sealed, "mail 2"), createSecretBox(["new", "other"]).renew(sealed, "mail 1")]).toEqual([null, null, null]);
  });

  it("cannot be decrypted when a single bit was changed, or a part is missing", () => {
    const box = createSecretBox(["secret"]);
    const sealed = box.seal("a token", "mail 1");
    const body = Buffer.from(sealed.slice(2), "base64url");
    for (let position = 0; position < body.length; position += 1) {
      const changed = Buffer.from(body);
      changed.writeUInt8(changed.readUInt8(position) ^ 1, position);
      expect(box.open(`1.${changed.toString("base64url")}`, "mail 1")).toBeNull();
      expect(box.open(`1.${body.subarray(0, position).toString("base64url")}`, "mail 1")).toBeNull();
    }
  });

  it.each(["", ".", "1", "1.", "1.AAAA", "a token", "2.AAAA", "1.%%%", "null"])("%j is not encrypted text", (text) => {
    expect(createSecretBox(["secret"]).open(text, "mail 1")).toBeNull();
  });

  it("requires a secret", () => {
    expect(() => createSecretBox([]).seal("a token", "mail 1")).toThrow("wants a secret");
  });
});

describe("after a secret was replaced", () => {
  const before = createSecretBox(["old"]);
  const meanwhile = createSecretBox(["new", "old"]);
  const after = createSecretBox(["new"]);

  it("text encrypted with the old one can be decrypted while that is in the list", () => {
    const sealed = before.seal("a token", "mail 1");
    expect(meanwhile.open(sealed, "mail 1")).toBe("a token");
    expect(after.open(sealed, "mail 1")).toBeNull();
  });

  it("the first of the list encrypts", () => {
    const sealed = meanwhile.seal("a token", "mail 1");
    expect(after.open(sealed, "mail 1")).toBe("a token");
    expect(before.open(sealed, "mail 1")).toBeNull();
  });
});

describe("an installation without a configured secret", () => {
  function dataFolder() {
    const folder = mkdtempSync(path.join(tmpdir(), "rampe-test-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    return folder;
  }

  it("creates one once, readable only by its own user, and keeps it", () => {
    const folder = path.join(dataFolder(), "not", "there", "yet");
    const [secret = "", ...others] = storedSecrets(folder);
    expect(Buffer.from(secret, "base64url")).toHaveLength(32);
    expect(others).toEqual([]);
    expect(storedSecrets(folder)).toEqual([secret]);
    expect(readdirSync(folder)).toEqual(["session-secret"]);
    expect(statSync(path.join(folder, "session-secret")).mode & 0o777).toBe(0o600);
  });

  it("has a different one than every other installation", () => {
    expect(storedSecrets(dataFolder())).not.toEqual(storedSecrets(dataFolder()));
  });

  it("uses an operator's list unchanged, and does not write to it", () => {
    const folder = dataFolder();
    const file = path.join(folder, "session-secret");
    writeFileSync(file, "new\r\n\n  old  \n");
    expect(storedSecrets(folder)).toEqual(["new", "old"]);
    expect(readFileSync(file, "utf8")).toBe("new\r\n\n  old  \n");
  });

  it("does not start with an empty list, and does not replace an unreadable secret", () => {
    const folder = dataFolder();
    const file = path.join(folder, "session-secret");
    writeFileSync(file, "\n");
    expect(() => storedSecrets(folder)).toThrow("is empty");
    expect(readFileSync(file, "utf8")).toBe("\n");

    rmSync(file);
    mkdirSync(file);
    expect(() => storedSecrets(folder)).toThrow("EISDIR");
  });

  it("starts after a crash during the creation of a secret", () => {
    const folder = dataFolder();
    writeFileSync(path.join(folder, `session-secret.${process.pid}`), "ha");
    const [secret = ""] = storedSecrets(folder);
    expect(Buffer.from(secret, "base64url")).toHaveLength(32);
    expect(storedSecrets(folder)).toEqual([secret]);
  });
});
