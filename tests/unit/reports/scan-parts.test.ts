import { describe, expect, it } from "vitest";
import { axeOptions, tagsOf } from "~/scan/rules/axe-options";
import { readAxeSource } from "~/scan/rules/axe-source";
import { timeoutFactor, suitableConcurrency } from "~/scan/browser/concurrency";
import { OutOfTime, within } from "~/platform/async/deadline";
import { crawlText } from "~/reports/exports/crawl-text";
import { csvLines } from "~/reports/exports/csv";
import { failureSummary } from "~/reports/exports/failure-summary";
import type { RunFacts } from "~/reports/exports/run";
import { sarifLog } from "~/reports/exports/sarif";
import { pageText } from "~/reports/exports/text";
import { createSemaphore } from "~/scan/browser/semaphore";
import { noFacts } from "~/scan/crawl/facts";
import { checkedPage, element, ENGINES, finding, uncheckedPage } from "../../support/database/page-results";

const RUN: RunFacts = {
  id: "1",
  url: "https://shop.example/",
  scope: "page",
  createdAt: 0,
  finishedAt: 1,
  standard: { version: "2.2", level: "AA" },
  engines: ENGINES,
  product: "Rampe",
};

describe("the rules of a standard", () => {
  it("include those of the lower levels", () => {
    expect(tagsOf({ version: "2.1", level: "A" })).toEqual(["wcag2a", "wcag21a"]);
    expect(tagsOf({ version: "2.2", level: "AA" })).toEqual([
      "wcag2a",
      "wcag21a",
      "wcag22a",
      "wcag2aa",
      "wcag21aa",
      "wcag22aa",
    ]);
    expect(tagsOf({ version: "2.1", level: "AAA" }).filter((tag) => tag.startsWith("wcag22"))).toEqual([]);
  });

  it("come from the installed version of axe-core", () => {
    const { engine, script } = readAxeSource();
    expect(engine.name).toBe("axe-core");
    expect(script).toContain(`axe v${engine.version}`);
  });

  it("do not lose elements that a report counts", () => {
    expect(axeOptions({ version: "2.2", level: "AA" }, "x")).not.toHaveProperty("resultTypes");
  });
});

describe("semaphore", () => {
  it("admits a number of requests at once, and the others in their order", async () => {
    const slots = createSemaphore(2);
    const { signal } = new AbortController();
    const entered: number[] = [];
    const releases = [1, 2, 3, 4].map(async (number) => {
      const release = await slots.take(signal);
      entered.push(number);
      return release;
    });
    (await releases[0])?.();
    await releases[2];
    expect(entered).toEqual([1, 2, 3]);
    (await releases[1])?.();
    await releases[3];
    expect(entered).toEqual([1, 2, 3, 4]);
  });

  it("forgets aborted requests, and releases a slot only once", async () => {
    const slots = createSemaphore(1);
    const release = await slots.take(new AbortController().signal);
    const impatient = new AbortController();
    const waiting = slots.take(impatient.signal);
    impatient.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow("enough");
    release();
    release();
    await slots.take(new AbortController().signal);
    const third = slots.take(new AbortController().signal);
    await expect(within(20, third)).rejects.toThrow(OutOfTime);
  });
});

describe("the number of pages at once", () => {
  const gib = 2 ** 30;
  it.each([
    [{ cores: 2, memory: 24 * gib }, 2],
    [{ cores: 8, memory: 4 * gib }, 5],
    [{ cores: 4, memory: 1 * gib }, 1],
    [{ cores: 64, memory: 256 * gib }, 16],
  ])("fits %o", (machine, pages) => expect(suitableConcurrency(machine)).toBe(pages));
});

describe("the time for a page to answer grows with the load", () => {
  it.each([
    ["an idle machine", 1, 2, 1],
    ["a machine that analyses one page per core", 4, 2, 1],
    ["a machine with as much other work", 8, 2, 2],
    ["an overloaded machine", 100, 2, 4],
    ["a system without load figures", 0, 2, 1],
  ])("on %s", (_machine, load, cores, times) => expect(timeoutFactor(load, cores)).toBe(times));
});

describe("reports", () => {
  const check = (group: "any" | "all" | "none", message: string) => ({ group, id: "x", data: null, message });

  it("describe fixes in axe-core's words", () => {
    expect(
      failureSummary([check("any", "A"), check("any", "B\nC"), check("none", "D"), check("all", "E")]),
    ).toBe("Fix all of the following:\n  D\n  E\n\nFix any of the following:\n  A\n  B\n  C");
    expect(failureSummary([])).toBe("");
  });

  it.each(["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx"])("contain no formula for a spreadsheet: %j", (html) => {
    const violations = [finding("r", { elements: [element({ html })], elementCount: 1 })];
    const csv = csvLines(
      checkedPage({ findings: { violations, incomplete: [], passes: [], inapplicable: [] } }),
    );
    expect(csv).toMatch(/,"?'/);
  });

  it("quote text with line breaks", () => {
    const violations = [
      finding("r", { elements: [element({ html: '<a title="x,\ny">' })], elementCount: 1 }),
    ];
    const csv = csvLines(
      checkedPage({ findings: { violations, incomplete: [], passes: [], inapplicable: [] } }),
    );
    expect(csv).toContain('"<a title=""x,\ny"">"');
  });

  describe("name the unchecked parts of a checked page", () => {
    const page = checkedPage({
      partial: ["color-contrast"],
      gaps: { frames: ["https://ads.example/", ""], closedShadowRoots: 2, resources: 3, concealed: true, unfinished: true, late: [], missing: null },
      findings: {
        violations: [finding("label", { impact: "serious", elementCount: 4 })],
        incomplete: [],
        passes: [],
        inapplicable: [],
      },
    });
    const texts = [
      "Rule not finished in time: color-contrast",
      "The page never finished loading, or breaks off, and was checked as it stood.",
      "The page stayed invisible: rules about what can be seen had nothing to check.",
      "Frame not checked: https://ads.example/",
      "Frame not checked: without an address",
      "Closed shadow roots not checked: 2",
      "Files of the page that did not load: 3",
    ];

    it("in text", () => {
      for (const text of texts) expect(pageText(page)).toContain(`  ${text}\n`);
    });

    it("in CSV, with elements that are counted but not listed", () => {
      const lines = csvLines(page).trimEnd().split("\r\n");
      expect(lines).toHaveLength(1 + texts.length);
      expect(lines[0]).toContain(",violation,label,serious,");
      expect(lines[0]).toContain(",4 more elements are not listed");
      expect(lines.slice(1).every((line) => line.includes(",not checked,"))).toBe(true);
    });

    it("in SARIF, with elements that are counted but not listed", () => {
      const run = sarifLog(RUN, [page, uncheckedPage()]).runs[0]!;
      const notices = run.invocations[0]!.toolExecutionNotifications;
      expect(notices.map(({ message }) => message.text)).toEqual([
        "Not checked: dns, the host has no address (net::ERR_NAME_NOT_RESOLVED)",
        ...texts,
      ]);
      expect(run.results).toMatchObject([
        { ruleId: "label", kind: "fail", level: "error", message: { text: expect.stringContaining("4 more") } },
      ]);
    });
  });
});

it("a place in SARIF is relative to its site, also with two slashes; other addresses stay whole", () => {
  const failed = ["https://shop.example//foo", "file:///etc/x", "no address"].map((url) => uncheckedPage({ url, reason: "invalid_url", detail: {} }));
  const [run] = sarifLog({ ...RUN, status: "failed" }, failed).runs;
  const locations = run?.invocations[0]?.toolExecutionNotifications.flatMap((each) => ("locations" in each ? each.locations.map(({ physicalLocation }) => physicalLocation.artifactLocation) : []));
  expect(locations).toEqual([{ uri: "/.//foo", uriBaseId: "https://shop.example" }, { uri: "file:///etc/x" }, { uri: "no%20address" }]);
});

it("the summary of a crawl says that robots.txt was not there, and that sitemaps were cut", () => {
  const sitemaps = { files: 1, urls: 3, problems: [], moreProblems: 2, cut: true };
  const text = crawlText({ ...noFacts(5), robots: "unreachable", sitemaps }, "https://shop.example/");
  for (const line of ["robots.txt could not be reached.", "The sitemaps name more than was read.", "More sitemaps not read: 2"]) expect(text).toContain(line);
});
