import { pageWith, openSite } from "./site";
import { testScanner, WCAG22AA } from "./scanner";

/*
 * Separate process, killed by the test: after it has printed "ready", its browser has a page open.
 * Arguments: the user agent, as the mark of its browser.
 */
const site = await openSite({ "/": pageWith("<script>for (;;);</script>") });
const scanner = testScanner({ userAgent: process.argv[2], pageSeconds: 300 });
await scanner.ready();
scanner.check({ url: site.url("/"), standard: WCAG22AA }).catch(() => {});
setTimeout(() => process.stdout.write("ready\n"), 1_000);
