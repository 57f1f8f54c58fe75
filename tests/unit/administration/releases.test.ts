import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { askForRelease, isNewer } from "~/administration/release.server";
import { startReleaseWatch } from "~/administration/release-watch.server";
import { startReleases, type ReleasesDouble } from "../../doubles/releases";

const DAY = 86_400_000;
const PAGE = "https://example.org/page";

let releases: ReleasesDouble;

beforeEach(async () => {
  releases = await startReleases();
  return () => releases.close();
});

describe("newer by semantic versioning", () => {
  test.each([
    ["0.1.1", "0.1.0"],
    ["0.10.0", "0.9.9"],
    ["10.0.0", "9.9.9"],
    ["1.0.0", "1.0.0-rc.1"],
    ["1.0.1+build-7", "1.0.0"],
  ])("%s is newer than %s", (newer, older) => {
    expect([isNewer(newer, older), isNewer(older, newer)]).toEqual([true, false]);
  });

  test.each(["0.1.0", "0.1.0+build-7", "0.2.0-rc.1", "1.0.0-alpha"])("%s is not newer than 0.1.0", (version) => {
    expect(isNewer(version, "0.1.0")).toBe(false);
  });
});

describe("the newest version is asked for", () => {
  const refused = () => askForRelease(releases.url, { withinMs: 200 }).then(() => "answered", (error: unknown) => String(error));

  test("in a document of GitHub or a plain one, and nothing is said about this installation", async () => {
    releases.answer = { tag_name: "v1.2.3+build-7", html_url: PAGE, name: "Rampe 1.2.3", assets: [] };
    expect(await askForRelease(releases.url)).toEqual({ version: "1.2.3", url: PAGE });
    releases.answer = { version: "1.2.3-rc.1", url: PAGE };
    expect(await askForRelease(releases.url)).toEqual({ version: "1.2.3-rc.1", url: PAGE });
    const { method, path, body, headers } = releases.requests[0]!;
    expect([method, path, body, headers["user-agent"]]).toEqual(["GET", "/latest", "", "Rampe"]);
    expect(headers).not.toHaveProperty("cookie");
    expect(JSON.stringify(headers)).not.toContain("0.1.0");
  });

  test.each([
    ["no JSON", "<html>"],
    ["a list", [{ version: "1.2.3", url: PAGE }]],
    ["no page", { version: "1.2.3" }],
    ["another scheme of numbers", { tag_name: "release-7", html_url: PAGE }],
    ["a script in the place of a page", { version: "1.2.3", url: "javascript:alert(1)" }],
    ["a page that is not encrypted", { version: "1.2.3", url: "http://example.org/" }],
  ])("a document that is wrong names no version: %s", async (_, answer) => {
    releases.answer = answer;
    expect(await refused()).toMatch(/^ReleaseProblem: it names no version: it wants GitHub's answer/);
  });

  test("a redirect is not followed", async () => {
    releases.answer = (response) => void response.writeHead(302, { Location: `${releases.url}/other` }).end();
    expect(await refused()).toBe(`ReleaseProblem: it redirects to ${releases.url}/other, which is not followed`);
    expect(releases.requests).toHaveLength(1);
  });

  test("an answer that hangs, is an error or is too long is given up, and so is a server that is down", async () => {
    releases.answer = () => {};
    expect(await refused()).toBe("ReleaseProblem: it does not answer within 0.2 s");
    releases.answer = (response) => void response.writeHead(200).write('{"version":');
    expect(await refused()).toBe("ReleaseProblem: it does not answer within 0.2 s");
    releases.answer = (response) => void response.writeHead(404).end();
    expect(await refused()).toBe("ReleaseProblem: it answers with 404");
    releases.answer = `{"version": "1.2.3", "url": "${PAGE}", "notes": "${"x".repeat(600_000)}"}`;
    expect(await refused()).toBe("ReleaseProblem: its answer has more than 500 kB");
    await releases.close();
    expect(await refused()).toMatch(/^ReleaseProblem: it does not answer \(/);
  });
});

describe("the running server", () => {
  function watch() {
    vi.useFakeTimers({ toFake: ["Date"] });
    const told: string[] = [];
    const watching = startReleaseWatch({
      ...{ address: releases.url, version: "0.1.0", everyMs: 5 },
      log: (_event, { version, reason } = {}) => told.push(String(version ?? reason)),
    });
    onTestFinished(async () => {
      await watching.stop();
      vi.useRealTimers();
    });
    return { watching, told };
  }

  const asked = (times: number) => vi.waitFor(() => expect(releases.requests).toHaveLength(times), { timeout: 10_000 });
  async function nextDay(answer: ReleasesDouble["answer"]) {
    releases.answer = answer;
    const times = releases.requests.length;
    vi.setSystemTime(Date.now() + DAY);
    await asked(times + 1);
  }

  test("asks once a day, and tells each newer version once", async () => {
    const { watching, told } = watch();
    await vi.waitFor(() => expect(watching.newer()?.version).toBe("9.0.0"));
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(releases.requests).toHaveLength(1);
    await nextDay({ version: "9.0.0", url: PAGE });
    await vi.waitFor(() => expect(watching.newer()?.url).toBe(PAGE));
    await nextDay({ version: "9.1.0", url: PAGE });
    await vi.waitFor(() => expect(watching.newer()?.version).toBe("9.1.0"));
    expect(told).toEqual(["9.0.0", "9.1.0"]);
    for (const version of ["0.1.0", "9.0.0", "0.0.9", "9.0.0", "9.0.0-rc.1"]) {
      await nextDay({ version, url: PAGE });
      await vi.waitFor(() => expect(watching.newer()?.version).toBe(version === "9.0.0" ? version : undefined));
    }
  });

  test("asks again after the clock was set back, and then once a day", async () => {
    watch();
    await asked(1);
    vi.setSystemTime(Date.now() - 400 * DAY);
    await asked(2);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(releases.requests).toHaveLength(2);
  });

  test("keeps what it knows when a request fails, and stops at once when one hangs", async () => {
    const { watching, told } = watch();
    await vi.waitFor(() => expect(watching.newer()?.version).toBe("9.0.0"));
    await nextDay("<html>");
    await vi.waitFor(() => expect(told).toEqual(["9.0.0", expect.stringContaining("names no version")]));
    expect(watching.newer()?.version).toBe("9.0.0");
    await nextDay(() => {});
    const began = performance.now();
    await watching.stop();
    expect(performance.now() - began).toBeLessThan(900);
    expect(told).toHaveLength(2);
  });

  test("asks a little after its start, and a failure is no error in the log", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    releases.answer = (response) => void response.writeHead(503).end();
    const log = vi.fn();
    const watching = startReleaseWatch({ address: releases.url, version: "0.1.0", log });
    onTestFinished(() => watching.stop());
    vi.advanceTimersByTime(5_000);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(releases.requests).toEqual([]);
    vi.advanceTimersByTime(5_000);
    await vi.waitFor(() => expect(log.mock.calls).toEqual([["RELEASES_URL did not say which version is the newest", { reason: "it answers with 503" }]]));
  });

  test("asks nobody and repeats nothing without RELEASES_URL", () => {
    const [ask, repeat] = [vi.spyOn(globalThis, "fetch"), vi.spyOn(globalThis, "setInterval")];
    onTestFinished(() => [ask, repeat].forEach((spy) => spy.mockRestore()));
    expect(startReleaseWatch({ address: undefined, version: "0.1.0", log: () => {} }).newer()).toBeNull();
    for (const spy of [ask, repeat]) expect(spy).not.toHaveBeenCalled();
  });
});
