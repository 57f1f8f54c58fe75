import { createInterface } from "node:readline";
import { BackupProblem } from "~/administration/backup/backup-problem";
import { InvalidSetting, type Env } from "~/platform/env.server";
import { productName } from "~/platform/product-name.server";
import { WrongUsage, type Command, type CommandContext } from "./command.server";
import { backup } from "./backup.server";
import { check } from "./check.server";
import { auditLog } from "./audit-log.server";
import { cancel } from "./cancel.server";
import { invitations } from "./invitations.server";
import { mails } from "./mails.server";
import { messages } from "./messages.server";
import { moveDatabase } from "./move-database.server";
import { queue } from "./queue.server";
import { settings } from "./settings.server";
import { invite } from "./invite.server";
import { makeAdministrator } from "./make-administrator.server";
import { people } from "./people.server";
import { resetPassword } from "./reset-password.server";
import { resetSecondFactor } from "./reset-second-factor.server";
import { restore } from "./restore.server";

const COMMANDS: Record<string, Command> = {
  invite,
  invitations,
  "make-administrator": makeAdministrator,
  people,
  "reset-password": resetPassword,
  "reset-second-factor": resetSecondFactor,
  backup,
  restore,
  "move-database": moveDatabase,
  check,
  queue,
  cancel,
  messages,
  mails,
  settings,
  "audit-log": auditLog,
};

/**
 * Runs a command of the operator, also while the server is running.
 *
 * @param args name of the command and its arguments
 * @param env reads the configuration; not needed for help
 * @returns exit status: 0, or 1 if the command failed or is unknown
 */
export async function runCommand(args: string[], env: () => Env): Promise<0 | 1> {
  const [name = "", ...rest] = args;
  const context: CommandContext = {
    env,
    readLine,
    say: (text) => void process.stdout.write(text),
    complain: (text) => void process.stderr.write(text),
  };
  if (name === "--help" || name === "help") {
    context.say(usage());
    return 0;
  }
  if (name === "--version") {
    context.say(`${productName()}\n`);
    return 0;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  try {
    if (!command) throw new WrongUsage();
    return (await command.run(rest, context)) ? 0 : 1;
  } catch (error) {
    context.complain(reasonOf(error, name));
    return 1;
  }
}

async function readLine(prompt: string): Promise<string> {
  const { stdin, stderr } = process;
  if (stdin.isTTY) stderr.write(prompt);
  const lines = createInterface({ input: stdin });
  try {
    for await (const line of lines) return line.trim();
    return "";
  } finally {
    // Closed, because an open terminal keeps the command alive.
    lines.close();
  }
}

function reasonOf(error: unknown, name: string): string {
  if (error instanceof WrongUsage) return usage(name);
  return error instanceof InvalidSetting || error instanceof BackupProblem ? `${error.message}\n` : `That did not work: ${String(error)}\n`;
}

/** Usage of all commands, or of the named one if it exists. */
function usage(name = ""): string {
  const named = Object.entries(COMMANDS).filter(([each]) => each === name);
  const shown = (named.length > 0 ? named : Object.entries(COMMANDS)).flatMap(([each, { takes, does }]) =>
    [takes].flat().map((way, line) => [`${each} ${way}`.trim(), line === 0 ? does : ""] as const),
  );
  const width = Math.max(...shown.map(([call]) => call.length));
  return `Usage: npm run admin -- COMMAND\n\n${shown.map(([call, does]) => `  ${call.padEnd(width)}   ${does}`.trimEnd() + "\n").join("")}`;
}
