import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installPackage } from "../install-package";
import type { Message } from "./judges";

const MOST_BYTES = 100_000_000;

export interface NuChecker {
  version: string;
  /** @param documents HTML by name @returns messages by that name */
  judge(documents: Map<string, string>): Map<string, Message[]>;
}

interface NuMessage {
  url: string;
  type: string;
  subType?: string;
  lastLine?: number;
  message: string;
  extract?: string;
}

/** The Nu Html Checker, which needs Java. @returns null, and prints a note, without Java */
export function nuChecker(): NuChecker | null {
  if (spawnSync("java", ["-version"]).status !== 0) {
    console.log("There is no Java (Debian: default-jre-headless), so the Nu checker is left out.");
    return null;
  }
  const installed = installPackage("vnu-jar", "26.9.27");
  const jar = installed.file("vnu-jar", "build", "dist", "vnu.jar");
  return { version: installed.versionOf("vnu-jar"), judge: (documents) => judge(jar, documents) };
}

function judge(jar: string, documents: Map<string, string>): Map<string, Message[]> {
  const folder = mkdtempSync(join(tmpdir(), "rampe-bench-"));
  try {
    const names = new Map([...documents.keys()].map((name, index) => [`${index}.html`, name]));
    for (const [file, name] of names) writeFileSync(join(folder, file), documents.get(name) ?? "");
    const options = ["--format", "json", "--stdout", "--exit-zero-always"];
    const { status, stdout, stderr } = spawnSync("java", ["-jar", jar, ...options, ...names.keys()], {
      cwd: folder,
      encoding: "utf8",
      maxBuffer: MOST_BYTES,
    });
    if (status !== 0) throw new Error(`The Nu checker failed: ${stderr}`);
    const found = (JSON.parse(stdout) as { messages: NuMessage[] }).messages;
    return new Map(
      [...names].map(([file, name]) => [name, found.filter(({ url }) => url.endsWith(`/${file}`)).map(read)]),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function read({ type, subType, message, lastLine, extract }: NuMessage): Message {
  return { tool: "nu", code: message, text: `${subType ?? type}: ${message}`, where: `line ${lastLine}: ${extract?.trim()}` };
}
