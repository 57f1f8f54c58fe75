import { spawn } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";

export interface Ended {
  code: number | null;
  out: string;
  err: string;
}

/**
 * Runs a Node program to its end, like a command line. Outside of the clone, which may contain a developer's `.env`.
 * @param input text for its standard input
 */
export async function runProgram(
  args: string[],
  { input = "", env = {} }: { input?: string; env?: Record<string, string> } = {},
): Promise<Ended> {
  const child = spawn(process.execPath, args, { cwd: tmpdir(), env: { ...process.env, ...env } });
  const kill = () => child.kill();
  process.once("exit", kill);
  const [out, err] = [collect(child.stdout), collect(child.stderr)];
  child.stdin.on("error", () => {}).end(input);
  const [code] = (await once(child, "close")) as [number | null];
  process.off("exit", kill);
  return { code, out: out(), err: err() };
}

function collect(stream: NodeJS.ReadableStream): () => string {
  const chunks: Buffer[] = [];
  stream.on("data", (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString();
}
