import { InvalidSetting, processEnv, type Env } from "~/platform/env.server";
import { unknownSettings } from "~/platform/unknown-settings.server";
import { failed, lineOf, ok, type CheckResult } from "~/server/checks/check.server";
import { checkBackupFolder, checkDataFolder } from "~/server/checks/folder-checks.server";
import { checkBrowser, checkClock, checkDatabase, checkDisk, checkWorkers } from "~/server/checks/machine-checks.server";
import { checkMail } from "~/server/checks/mail-check.server";
import { checkRelease } from "~/server/checks/release-check.server";
import { checkIssuer } from "~/server/checks/sign-in-check.server";
import { checkObjectStore } from "~/server/checks/storage-check.server";
import { checkStripe } from "~/server/checks/stripe-check.server";
import { addressPolicy } from "~/server/scans/address-setting.server";
import { requireBackupSettings } from "~/server/storage/backup.server";
import { requireStorageFolder } from "~/server/storage/object-storage.server";
import { usesPostgres } from "~/server/storage/postgres-database.server";
import { WrongUsage, type Command, type CommandContext } from "./command.server";

export const check: Command = {
  takes: "[--to ADDRESS]",
  does: "tests configuration, folders, mail (sends one), payments, sign-in, browser, disk, clock and version: a line each",
  async run(args, context) {
    const [flag, address, ...rest] = args;
    if (rest.length > 0 || (args.length > 0 && (flag !== "--to" || !address?.includes("@")))) throw new WrongUsage();
    let isGood = true;
    const tell = (name: string, result: CheckResult) => {
      context.say(lineOf(name, result));
      if (result.state === "failed") isGood = false;
      return result;
    };
    const { env, result } = readConfiguration(context);
    tell("configuration", result);
    if (!env) return false;
    tell("data folder", checkDataFolder(env));
    if (usesPostgres(env)) tell("database", await checkDatabase(env));
    tell("pictures", await checkObjectStore(env));
    tell("backups", checkBackupFolder(env));
    tell("mail", await checkMail(env, address));
    tell("payments", await checkStripe(env));
    const signIn = tell("sign-in", await checkSignIn(env));
    tell("browser", env.ROLE === "web" ? await checkWorkers(env) : await checkBrowser(env));
    tell("disk", await checkDisk(env));
    tell("clock", await checkClock(env, signIn.state === "ok" ? signIn.date : undefined));
    tell("version", await checkRelease(env));
    return isGood;
  },
};

function readConfiguration({ env: read }: CommandContext): { env: Env | null; result: CheckResult } {
  try {
    const env = read();
    // Further checks of the start.
    requireBackupSettings(env);
    requireStorageFolder(env);
    addressPolicy(env);
    const unknown = unknownSettings(processEnv());
    return { env, result: unknown.length > 0 ? failed(unknown.join("; ")) : ok() };
  } catch (error) {
    if (!(error instanceof InvalidSetting)) throw error;
    return { env: null, result: failed(error.message) };
  }
}

function checkSignIn(env: Env): Promise<CheckResult> {
  const callback = `${env.BASE_URL}/auth/callback`;
  if (env.OIDC_ISSUER) {
    return checkIssuer(env.OIDC_ISSUER, "OIDC_ISSUER", { clientId: env.OIDC_CLIENT_ID ?? "", clientSecret: env.OIDC_CLIENT_SECRET ?? "", callback, secretVariable: "OIDC_CLIENT_SECRET" });
  }
  const client = { clientId: env.AUTH0_CLIENT_ID ?? "", clientSecret: env.AUTH0_CLIENT_SECRET ?? "", callback, secretVariable: "AUTH0_CLIENT_SECRET" };
  return checkIssuer(env.AUTH0_DOMAIN && `https://${env.AUTH0_DOMAIN}/`, "AUTH0_DOMAIN", client);
}
