import { loadEnvFile, readEnv, InvalidSetting } from "~/platform/env.server";
import { openAccounts } from "~/server/accounts.server";

const USAGE = `Usage: npm run admin -- reset-password EMAIL

  reset-password EMAIL   gives the account a new password, says it, and signs the person out everywhere
`;

/** Commands for the operator, on the server itself, also while it is running. Exit status 0; 1 if the command failed. */
async function main(args: string[]): Promise<number> {
  const [command, email, ...rest] = args;
  if (command === "--help" || command === "help") {
    process.stdout.write(USAGE);
    return 0;
  }
  if (command !== "reset-password" || !email || rest.length > 0) {
    process.stderr.write(USAGE);
    return 1;
  }
  loadEnvFile();
  const { accounts, close } = await openAccounts(readEnv());
  try {
    const password = await accounts.resetByOperator(email);
    if (password === null) {
      process.stderr.write(`No account of this installation has the address ${email}.\n`);
      return 1;
    }
    process.stdout.write(`The new password of ${email} is\n\n  ${password}\n\nPlease have it changed after the next log-in.\n`);
    return 0;
  } finally {
    await close();
  }
}

function say(error: unknown): number {
  const message = error instanceof InvalidSetting ? error.message : `That did not work: ${String(error)}`;
  process.stderr.write(`${message}\n`);
  return 1;
}

process.exitCode = await main(process.argv.slice(2)).catch(say);
