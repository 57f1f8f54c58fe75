import { pageWith, openSite } from "./site";
import { testScanner, WCAG22AA } from "./scanner";

/*
 * A separate process that the test kills: when it prints "ready", its browser runs and has a page open.
 * Arguments: the user agent that marks its browser.
 */
const site = await openSite({ "/": pageWith("<script>for (;;);</script>") });
const scanner = testScanner({ userAgent: process.argv[2], pageSeconds: 300 });
await scanner.ready();
scanner.check({ url: site.url("/"), standard: WCAG22AA }).catch(() => {});
setTimeout(() => process.stdout.write("ready\n"), 1_000);
