import { loadEnvFile, readEnv } from "~/platform/env.server";
import { runCommand } from "~/server/commands/commands.server";

process.exitCode = await runCommand(process.argv.slice(2), () => {
  loadEnvFile();
  return readEnv();
});
