import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { settingRows } from "~/administration/settings.server";
import { givenSetting, loadEnvFile, readEnv, SETTINGS } from "~/platform/env.server";

const SECRETS = ["SESSION_SECRET", "AUTH0_CLIENT_SECRET", "STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET", "METRICS_TOKEN"];

function rowsOf(source: Record<string, string>) {
  const rows = settingRows(readEnv(source), (name) => (source[name] ? { text: source[name], from: "environment" } : undefined));
  return new Map(rows.map((row) => [row.name, row]));
}

test("every setting is shown with its value and where it comes from", () => {
  const rows = rowsOf({ PORT: "8080", DATA_DIR: "/srv/rampe", SCAN_ALLOW_PRIVATE: "localhost, 10.0.0.0/8" });
  expect([...rows.keys()]).toEqual(SETTINGS.map(({ name }) => name));
  expect(rows.get("PORT")).toMatchObject({ value: "8080", from: "environment", isSet: true, wants: "a port number from 0 to 65535" });
  expect(rows.get("SCAN_ALLOW_PRIVATE")?.value).toBe("localhost, 10.0.0.0/8");
  expect(rows.get("RETENTION_DAYS")).toMatchObject({ value: "365", from: "default" });
  expect(rows.get("TRUST_PROXY")?.value).toBe("off");
  expect(rows.get("DATABASE_URL")).toMatchObject({ value: expect.stringContaining("/srv/rampe/"), from: "default" });
  expect(rows.get("BASE_URL")?.value).toBe("http://localhost:8080");
  expect(rows.get("BILLING")?.value).toBe("demo");
  expect(rows.get("SMTP_URL")).toMatchObject({ value: null, isSet: false, from: "default" });
  expect(rows.get("SESSION_SECRET")).toMatchObject({ value: null, isSet: true, isSecret: true, from: "start" });
});

test("no secret and no password is shown", () => {
  const hidden = "geheimnis-4711-geheimnis-4711-geheimnis";
  const rows = rowsOf({
    ...{ SESSION_SECRET: hidden, METRICS_TOKEN: hidden, AUTH0_DOMAIN: "t.example", AUTH0_CLIENT_ID: "id", AUTH0_CLIENT_SECRET: hidden },
    ...{ STRIPE_SECRET_KEY: `sk_${hidden}`, STRIPE_WEBHOOK_SECRET: `whsec_${hidden}`, SMTP_URL: `smtps://post:${hidden}@mail.example:465?token=${hidden}` },
  });
  for (const name of SECRETS) expect(rows.get(name), name).toMatchObject({ value: null, isSet: true, isSecret: true, from: "environment" });
  expect(rows.get("SMTP_URL")?.value).toBe("smtps://post:***@mail.example:465?***");
  expect(rowsOf({ SMTP_URL: `smtp://${hidden}@mail.example` }).get("SMTP_URL")?.value).toBe("smtp://***@mail.example");
  expect(JSON.stringify([...rows.values()])).not.toContain("4711");
  const database = (DATABASE_URL: string) => rowsOf({ DATABASE_URL }).get("DATABASE_URL")?.value;
  expect(database(`postgres://rampe:${hidden}@db.example/rampe?sslmode=verify-full`)).toBe("postgres://rampe:***@db.example/rampe?***");
  // A socket, and an unescaped special character: address parsers reject both.
  expect(database(`postgres://rampe:${hidden}@/rampe?host=/run/postgresql`)).toBe("***");
  expect(database(`postgres://rampe:/#${hidden}@db.example/rampe`)).toBe("***");
});

test("a value of the .env file is told from one of the environment, which comes first", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "rampe-env-"));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
    for (const name of ["OPERATOR_NAME", "OPERATOR_PHONE"]) delete process.env[name];
  });
  writeFileSync(path.join(folder, ".env"), "OPERATOR_NAME=from the file\nOPERATOR_PHONE=from the file\n");
  process.env.OPERATOR_NAME = "from outside";
  loadEnvFile(path.join(folder, ".env"));
  expect(givenSetting("OPERATOR_NAME")).toEqual({ text: "from outside", from: "environment" });
  expect(givenSetting("OPERATOR_PHONE")).toEqual({ text: "from the file", from: "file" });
  expect(givenSetting("OPERATOR_EMAIL")).toBeUndefined();
});
