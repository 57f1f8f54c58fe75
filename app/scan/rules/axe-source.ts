import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { KEEP_NAMES } from "~/scan/page/keep-names";
import { inAscii } from "./in-ascii";
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
    script: withLateSegmenter(inAscii(readFileSync(require.resolve("axe-core/axe.min.js"), "utf8"))),
  };
}

/**
 * Delays axe-core's segmenter of words until its first use. axe-core creates it on loading, but few pages need it: in a new
 * process, it takes a tenth of the loading time.
 */
function withLateSegmenter(script: string): string {
  // No function around the script: the browser would read the whole script once more.
  return `var restoreSegmenter = (() => { ${KEEP_NAMES} return (${useLateSegmenter.toString()})(); })();\n${script}\nrestoreSegmenter();`;
}

/** Runs inside a page. */
function useLateSegmenter(): () => void {
  const { Segmenter } = Intl;
  const use = (value: typeof Segmenter) => Object.defineProperty(Intl, "Segmenter", { value, configurable: true, writable: true });
  use(
    class {
      #made: Intl.Segmenter | undefined;
      readonly #options: ConstructorParameters<typeof Segmenter>;
      constructor(...options: ConstructorParameters<typeof Segmenter>) {
        this.#options = options;
      }
      get #real(): Intl.Segmenter {
        return (this.#made ??= new Segmenter(...this.#options));
      }
      segment(text: string): Intl.Segments {
        return this.#real.segment(text);
      }
      resolvedOptions(): Intl.ResolvedSegmenterOptions {
        return this.#real.resolvedOptions();
      }
      static supportedLocalesOf = Segmenter.supportedLocalesOf;
    },
  );
  return () => void use(Segmenter);
}
