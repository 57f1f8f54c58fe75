import { basename } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files of more than about a minute on two idle cores, longest first. */
const LONG = [
  ...["scan-keys", "scan-use", "scan-own-rules", "scan-equality", "scan-open", "scan-command", "scan-pages", "scan-conditions", "scan-hover"],
  ...["site-run", "hostile", "self-scan", "self-scan-account", "safety", "rule-guides", "self-scan-runs", "third-language", "start-and-stop", "crawl"],
  ...["payments-faults", "database-lock", "self-scan-payments"],
].map((name) => `${name}.test.ts`);

/** Starts long files first: a long one that starts last leaves the other workers idle. A clean clone knows no durations. */
export default class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const place = LONG.indexOf(basename(moduleId));
      return place < 0 ? LONG.length : place;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}
