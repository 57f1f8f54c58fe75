import { pageWith, openSite } from "./site";
import { testScanner, WCAG22AA } from "./scanner";

/*
 * A process of its own, to be killed: its browser is up and has a page open when it says "ready".
 * Arguments: the user agent that marks its browser.
 */
const site = await openSite({ "/": pageWith("<script>for (;;);</script>") });
const scanner = testScanner({ userAgent: process.argv[2], pageSeconds: 300 });
await scanner.ready();
scanner.check({ url: site.url("/"), standard: WCAG22AA }).catch(() => {});
setTimeout(() => process.stdout.write("ready\n"), 1_000);
