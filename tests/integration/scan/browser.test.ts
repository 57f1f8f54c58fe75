import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { cpSync, existsSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { getPriority } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Scanner } from "~/scan/types";
import { freshFolder } from "../../support/servers/fresh-folder";
import { browserProcesses } from "../../support/servers/processes";
import { browserPath, reasonOf, testScanner, violationsOf, WCAG22AA } from "../../support/scan/scanner";
import { openSite, pageWith, type Site } from "../../support/scan/site";

// Running processes are only visible in /proc on Linux.
describe.skipIf(process.platform !== "linux")("the scanner's browser", () => {
  let mark: string;
  let site: Site;
  let scanner: Scanner;

  beforeEach(async () => {
    mark = `Rampe/${randomUUID()}`;
    site = await openSite({
      "/": pageWith(""),
      // Reports that it runs in its own process, and then blocks that process.
      "/slow": pageWith(
        "<script>const x = new XMLHttpRequest(); x.open('GET', '/has-begun', false); x.send();" +
          "const end = Date.now() + 2000; while (Date.now() < end);</script>",
      ),
      "/has-begun": "",
      "/late": (_request, response) => void setTimeout(() => response.end(pageWith("")), 700),
      "/endless": pageWith("<script>setTimeout(() => { for (;;); }, 300)</script><img alt='' src='/never'>"),
      "/never": () => {},
      "/remembers": pageWith(
        `<script>
          const left = [document.cookie, localStorage.length, sessionStorage.length, window.name, history.length > 2];
          document.title = left.some((each) => each && each !== "0") ? "I know " + left : "I know nothing";
          document.cookie = "seen=1; max-age=999";
          localStorage.seen = sessionStorage.seen = window.name = "seen";
        </script>`,
      ),
    });
    scanner = testScanner({ userAgent: mark });
  });
  afterEach(async () => {
    await scanner.stop();
    await site.close();
  });

  const check = (path: string, signal?: AbortSignal) =>
    scanner.check({ url: site.url(path), standard: WCAG22AA, signal });
  const renderers = () => browserProcesses(mark).filter(({ command }) => command.includes("--type=renderer"));
  /** Number of starts of the slow page. */
  const begun = () => site.requests.filter((path) => path === "/has-begun").length;
  const kill = (which: { pid: number }[]) => which.forEach(({ pid }) => process.kill(pid, "SIGKILL"));

  it("starts only when it is needed", async () => {
    expect(browserProcesses(mark)).toEqual([]);
    await scanner.ready();
    expect(browserProcesses(mark).length).toBeGreaterThan(0);
  });

  it("is replaced after it was killed between two pages", async () => {
    await check("/");
    kill(browserProcesses(mark));
    expect(violationsOf(await check("/"))).toEqual(["image-alt #bare"]);
  });

  it("is replaced after it was killed during a page, and the page is tried again", async () => {
    const results = Promise.all([check("/slow"), check("/slow")]);
    await expect.poll(begun).toBe(2);
    kill(browserProcesses(mark));
    for (const result of await results) expect(violationsOf(result)).toEqual(["image-alt #bare"]);
    expect(begun()).toBe(4);
  });

  it("can be killed twice by one page; every other page is affected at most once", async () => {
    const results = Promise.all([check("/slow"), check("/slow")]);
    // Both at once, then each alone.
    for (const attempts of [2, 3]) {
      await expect.poll(begun).toBe(attempts);
      kill(browserProcesses(mark));
    }
    const outcomes = (await results).map(reasonOf);
    expect(outcomes.sort()).toEqual(["crashed", "succeeded"]);
  });

  it("loses a page's process: the page is tried again, then it counts as crashed", async () => {
    await scanner.ready();
    const once = check("/slow");
    await expect.poll(begun).toBe(1);
    kill(renderers());
    expect(violationsOf(await once)).toEqual(["image-alt #bare"]);

    site.requests.length = 0;
    const twice = check("/slow");
    for (const attempt of [1, 2]) {
      await expect.poll(begun).toBe(attempt);
      kill(renderers());
    }
    expect(reasonOf(await twice)).toBe("crashed");
    expect(violationsOf(await check("/"))).toEqual(["image-alt #bare"]);
  });

  it("does not start once, and loses the page's process once: neither shows that it is the page's fault", async () => {
    await scanner.stop();
    const folder = freshFolder();
    const executablePath = path.join(folder, "browser.sh");
    writeFileSync(executablePath, `#!/bin/sh\n[ -e "${folder}/tried" ] || { touch "${folder}/tried"; exit 1; }\nexec "${browserPath()}" "$@"\n`, { mode: 0o755 });
    scanner = testScanner({ userAgent: mark, executablePath });
    const checking = check("/slow");
    await expect.poll(begun, { timeout: 20_000 }).toBe(1);
    kill(renderers());
    expect(violationsOf(await checking)).toEqual(["image-alt #bare"]);
  });

  it("loses a page's process before the page has arrived: the page is still checked", async () => {
    await scanner.ready();
    const late = check("/late");
    await expect.poll(() => site.requests.length).toBe(1);
    kill(renderers());
    expect(violationsOf(await late)).toEqual(["image-alt #bare"]);
  });

  it("loses the process of a tab that is being opened: no page waits for it", async () => {
    await scanner.ready();
    const known = new Set(renderers().map(({ pid }) => pid));
    const opening = () => renderers().filter(({ pid }) => !known.has(pid));
    await expect.poll(opening, { interval: 1 }).not.toEqual([]);
    kill(opening());
    const checking = check("/slow");
    await expect.poll(begun).toBe(1);
    expect(violationsOf(await checking)).toEqual(["image-alt #bare"]);
  });

  it("is updated on the disk while it runs: it goes on, and its next start uses the new files", async () => {
    await scanner.ready();
    const program = browserProcesses(mark).map(({ pid }) => readlinkSync(`/proc/${pid}/exe`)).find((exe) => !exe.endsWith("sh"));
    await scanner.stop();
    const [installed, files] = [path.dirname(program ?? ""), path.join(freshFolder(), "browser")];
    const install = () => cpSync(installed, files, { recursive: true });
    install();
    scanner = testScanner({ userAgent: mark, pagesPerBrowser: 2, executablePath: path.join(files, path.basename(program ?? "")) });
    const mainProcess = () => browserProcesses(mark).flatMap(({ pid, group }) => (pid === group ? [pid] : []));
    expect(violationsOf(await check("/"))).toEqual(["image-alt #bare"]);
    const before = mainProcess();
    rmSync(files, { recursive: true });
    install();
    expect(violationsOf(await check("/"))).toEqual(["image-alt #bare"]);
    expect(before).toHaveLength(1);
    expect(violationsOf(await check("/"))).toEqual(["image-alt #bare"]);
    await expect.poll(() => mainProcess().map((pid) => readlinkSync(`/proc/${pid}/exe`))).toEqual([expect.not.stringContaining("(deleted)")]);
    expect(mainProcess()).not.toEqual(before);
  });

  it("keeps tabs ready; no tab sees the data of another one's page", async () => {
    await scanner.ready();
    for (let visit = 0; visit < 4; visit += 1)
      expect(await check("/remembers")).toMatchObject({ status: "succeeded", title: "I know nothing" });
  });

  it("runs at a lower priority than the process that started it", async () => {
    await check("/");
    const priorities = renderers().map(({ pid }) => getPriority(pid));
    expect(Math.min(...priorities)).toBeGreaterThan(getPriority());
  });

  it("leaves no profile folder behind", async () => {
    const profile = /--user-data-dir=(\S+)/;
    await scanner.ready();
    const folders = browserProcesses(mark).flatMap(({ command }) => profile.exec(command)?.[1] ?? []);
    expect(folders.map((folder) => existsSync(folder))).toContain(true);
    await scanner.stop();
    expect(folders.map((folder) => existsSync(folder))).not.toContain(true);
  });

  it("cannot be started: every page counts as crashed, none as clean", async () => {
    const broken = testScanner({ executablePath: "/nonexistent/browser" });
    await expect(broken.ready()).rejects.toThrow();
    expect(await broken.check({ url: site.url("/"), standard: WCAG22AA })).toMatchObject({
      reason: "crashed",
    });
    await broken.stop();
  });

  it("is replaced after a number of pages without losing one", async () => {
    await scanner.stop();
    scanner = testScanner({ userAgent: mark, pagesPerBrowser: 3 });
    const results = await Promise.all(Array.from({ length: 10 }, () => check("/")));
    for (const result of results) expect(violationsOf(result)).toEqual(["image-alt #bare"]);
    // Only the working browser is left.
    await expect
      .poll(() => new Set(browserProcesses(mark).map(({ group }) => group)).size)
      .toBe(1);
  });

  it("closes an aborted page at once, a waiting one too", async () => {
    await scanner.ready();
    const abort = new AbortController();
    const paths = [...Array.from({ length: scanner.parallel }, () => "/endless"), "/"];
    const checks = paths.map((path) => check(path, abort.signal));
    const outcomes = Promise.allSettled(checks);
    await expect.poll(() => site.requests.includes("/endless")).toBe(true);
    abort.abort(new Error("enough"));
    for (const outcome of await outcomes)
      expect(outcome).toMatchObject({ status: "rejected", reason: { message: "enough" } });
    expect(violationsOf(await check("/"))).toEqual(["image-alt #bare"]);
    expect(site.requests.filter((path) => path === "/")).toHaveLength(1);
  });

  it("stops all scripts of a page after its time limit", async () => {
    await scanner.stop();
    scanner = testScanner({ userAgent: mark, pageSeconds: 2 });
    await check("/endless");
    // The browser's own empty page, and the two spare tabs.
    await expect.poll(() => renderers().length).toBeLessThanOrEqual(3);
  });

  it("ends when the scanner is stopped, and pending checks reject", async () => {
    await scanner.ready();
    const pending = Promise.allSettled([check("/endless"), check("/endless"), check("/endless")]);
    await expect.poll(() => site.requests.includes("/endless")).toBe(true);
    await scanner.stop();
    expect((await pending).map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    expect(browserProcesses(mark)).toEqual([]);
    await expect(check("/")).rejects.toThrow("stopped");
  });

  it("ends when the scanner's process is killed", async () => {
    const program = fileURLToPath(new URL("../../support/scan/killed-scanner.ts", import.meta.url));
    const child = spawn(process.execPath, ["--import", "tsx", program, mark], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(child.stdout, "data");
    expect(browserProcesses(mark).length).toBeGreaterThan(0);
    child.kill("SIGKILL");
    await expect.poll(() => browserProcesses(mark)).toEqual([]);
  });
});
