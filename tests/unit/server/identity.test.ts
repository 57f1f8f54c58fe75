import { mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { createSecretBox } from "~/platform/crypto/secret-box.server";
import { readEnv } from "~/platform/env.server";
import { SINGLE_PROCESS } from "~/platform/installation/installation";
import { IN_MEMORY } from "~/platform/limits/rate-limit.server";
import { startIdentity } from "~/server/accounts/identity.server";
import { freshDatabase } from "../../support/database/database";
import { freshFolder } from "../../support/servers/fresh-folder";

const DAY_MS = 86_400_000;

test.each([
  ["without a mail server", {}],
  ["with a mail server that was set later", { SMTP_URL: "smtp://127.0.0.1:9" }],
])("mails that are kept as files are deleted after 30 days, %s", async (_when, settings) => {
  const DATA_DIR = freshFolder();
  const outbox = path.join(DATA_DIR, "outbox");
  mkdirSync(outbox);
  for (const [name, days] of [["old.eml", 31], ["new.eml", 29]] as const) {
    const file = path.join(outbox, name);
    writeFileSync(file, "Subject: Hello\r\n");
    const at = new Date(Date.now() - days * DAY_MS);
    utimesSync(file, at, at);
  }
  const secrets = ["a secret"];
  const identity = startIdentity(readEnv({ DATA_DIR, ...settings }), pino({ enabled: false }), {
    db: await freshDatabase(),
    box: createSecretBox(secrets),
    secrets,
    installation: SINGLE_PROCESS,
    runs: { cancelAllOf: async () => [] },
    counting: IN_MEMORY,
    onMail: undefined,
  });
  onTestFinished(() => identity.stop());
  await identity.deleteExpired();
  expect(readdirSync(outbox)).toEqual(["new.eml"]);
});
