import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { ENGINE_OF, type EngineVersion } from "~/scan/types";

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
    engine: { name: ENGINE_OF.axe, version },
    script: inAscii(readFileSync(require.resolve("axe-core/axe.min.js"), "utf8")),
  };
}

/**
 * A single non-ASCII letter doubles the memory of the whole text, everywhere on its way into a page. All such letters are
 * in strings and regular expressions, where an escape means the same.
 */
function inAscii(script: string): string {
  return script.replace(/(?<!\\)[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
