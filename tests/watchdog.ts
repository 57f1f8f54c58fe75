import type { Reporter, TestCase, TestModule } from "vitest/node";
import { minutes } from "./support/patience";

/** Maximum time between two results of a file: above the time-out of a set-up. */
const LIMIT_MS = minutes(6);

/**
 * Ends the run with the name of a test that blocks its worker. Vitest's own time-outs need an event loop that runs. A blocked
 * worker does not report its latest results: the test is the first one without a result, or soon after it.
 */
export default class Watchdog implements Reporter {
  readonly #modules = new Map<string, NodeJS.Timeout>();

  onTestModuleStart(module: TestModule): void {
    this.#wait(module);
  }

  onTestCaseResult({ module }: TestCase): void {
    this.#wait(module);
  }

  onTestModuleEnd({ id }: TestModule): void {
    clearTimeout(this.#modules.get(id));
    this.#modules.delete(id);
  }

  #wait(module: TestModule): void {
    clearTimeout(this.#modules.get(module.id));
    const giveUp = () => {
      const [test] = module.children.allTests("pending");
      console.error(`FAIL ${module.relativeModuleId}, at or after: ${test?.fullName ?? "set-up"}: blocked for ${LIMIT_MS / 1_000} s`);
      process.exit(1);
    };
    this.#modules.set(module.id, setTimeout(giveUp, LIMIT_MS).unref());
  }
}
