import { expect, test } from "vitest";
import { createSecretBox } from "~/platform/crypto/secret-box.server";
import { markSecret, wasSecretLost } from "~/platform/crypto/secret-mark.server";
import { freshDatabase } from "../../support/database/database";

test("a secret counts as lost when neither it nor its replacement is configured at the next start", async () => {
  const db = await freshDatabase();
  const startWith = async (...secrets: string[]) => {
    const box = createSecretBox(secrets);
    const isLost = await wasSecretLost(db, box);
    await markSecret(db, box);
    return isLost;
  };
  expect(await startWith("first")).toBe(false);
  expect(await startWith("first")).toBe(false);
  expect(await startWith("second", "first")).toBe(false);
  expect(await startWith("second")).toBe(false);
  expect(await startWith("third")).toBe(true);
  expect(await startWith("third")).toBe(false);
});
