import { expect, test } from "vitest";
import { createSecretBox } from "~/platform/crypto/secret-box.server";
import { wasSecretLost } from "~/platform/crypto/secret-mark.server";
import { freshDatabase } from "../support/database";

test("a secret counts as lost when neither it nor its replacement is configured at the next start", async () => {
  const db = await freshDatabase();
  const startWith = (...secrets: string[]) => wasSecretLost(db, createSecretBox(secrets));
  expect(await startWith("first")).toBe(false);
  expect(await startWith("first")).toBe(false);
  expect(await startWith("second", "first")).toBe(false);
  expect(await startWith("second")).toBe(false);
  expect(await startWith("third")).toBe(true);
  expect(await startWith("third")).toBe(false);
});
