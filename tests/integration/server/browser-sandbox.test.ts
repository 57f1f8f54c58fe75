import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { launchBrowser } from "~/scan/browser/browser-launch";
import { freshFolder } from "../../support/servers/fresh-folder";

const launch = (executablePath: string) => launchBrowser({ executablePath, userAgent: "Rampe/test" }, AbortSignal.timeout(30_000));

/** Stand-in for a browser that does not start. */
function brokenBrowser(words: string): string {
  const file = path.join(freshFolder(), "chromium-headless-shell");
  writeFileSync(file, `#!/bin/sh\necho "${words}" >&2\nexit 1\n`, { mode: 0o755 });
  return file;
}

test("a system that forbids the browser its sandbox is named as the reason, with what to do", async () => {
  await expect(launch(brokenBrowser("FATAL: No usable sandbox! If this is a Debian system, ..."))).rejects.toThrow(
    /forbids the browser its sandbox.*kernel\.apparmor_restrict_unprivileged_userns=0/,
  );
});

test("a browser that does not start for another reason is no matter of its sandbox", async () => {
  await expect(launch(brokenBrowser("error while loading shared libraries"))).rejects.toThrow(/^(?!.*sandbox)/);
});
