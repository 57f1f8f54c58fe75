import { rmSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { alias } from "../alias";

/** Folder in the project: programs there find the installed packages. */
const FOLDER = fileURLToPath(new URL("../../../node_modules/.cache/test-programs", import.meta.url));

export interface BuiltProgram {
  file: string;
  remove(): void;
}

/**
 * Builds a program that tests start many times: its start is three times as fast as with a compiler.
 * @param source address of a TypeScript file
 */
export async function buildProgram(source: URL): Promise<BuiltProgram> {
  const name = path.basename(source.pathname, ".ts");
  const outDir = path.join(FOLDER, `${name}-${process.pid}`);
  await build({
    configFile: false,
    logLevel: "error",
    resolve: { alias },
    build: { ssr: fileURLToPath(source), outDir, target: "node20", rollupOptions: { output: { entryFileNames: `${name}.mjs` } } },
  });
  return { file: path.join(outDir, `${name}.mjs`), remove: () => rmSync(outDir, { recursive: true }) };
}
