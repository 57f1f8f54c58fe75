import { openCorpus } from "../support/bench-corpus";
import { testScanner, WCAG22AA } from "../support/scanner";
const corpus = await openCorpus(["mozilla-1","iab-1"]);
const scanner = testScanner({ concurrency: 2, pageSeconds: 600 });
await scanner.ready();
for (const { url } of corpus.pages) for (let i=0;i<8;i++) { await new Promise(r=>setTimeout(r,700)); const t=performance.now(); await scanner.check({ url, standard: WCAG22AA }); console.error("VISIT", url.split("/").pop(), Math.round(performance.now()-t)); }
await scanner.stop(); await corpus.close(); process.exit(0);
