import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { EngineVersion } from "./types";

export interface AxeSource {
  engine: EngineVersion;
  /** The whole library as script text; it defines `axe` where it is evaluated. */
  script: string;
}

/** Reads axe-core from its installed package. */
export function readAxeSource(): AxeSource {
  const require = createRequire(import.meta.url);
  const { version } = require("axe-core/package.json") as { version: string };
  return {
    engine: { name: "axe-core", version },
    script: readFileSync(require.resolve("axe-core/axe.min.js"), "utf8"),
  };
}
