import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files of more than about half a minute on two cores, the longest first; each entry is the end of a path. */
const LONG = [
  ...["engine/hostile", "engine/benchmarks", "site/self-scan-account", "site/self-scan", "site/third-language", "scan/own-rules", "scan/guides"],
  ...["scan/keys", "engine/site-run", "scan/pages", "scan/names", "scan/open", "scan/conditions", "site/self-scan-runs", "scan/cut"],
  ...["billing/payments-faults", "axe/equality", "scan/gaps", "scan/command", "scan/operate", "engine/crash", "scan/browser", "scan/late"],
  ...["server/processes", "server/workers", "runs/runs", "administration/administration", "scan/orientation", "scan/moving-pages", "scan/dark"],
  ...["accounts/registration", "engine/crawl", "engine/start-and-stop", "scan/hover"],
].map((name) => `/${name}.test.ts`);

/** Starts long files first: a long one at the end leaves the other workers idle. A clean clone has no stored durations. */
export default class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const place = LONG.findIndex((name) => moduleId.endsWith(name));
      return place < 0 ? LONG.length : place;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}
