import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { browserProcesses } from "../../support/servers/processes";
import { openSite, pageWith, type Site } from "../../support/scan/site";

const program = fileURLToPath(new URL("../../../build/server/scan.js", import.meta.url));

describe("npm run scan", () => {
  let site: Site;

  beforeAll(async () => {
    site = await openSite({
      "/clean": "<!doctype html><html lang=en><title>Clean</title><main><h1>Clean</h1><p>Text</main>",
      "/bad": pageWith('<a href="#" style="color:#ccc">=cmd|calc</a>'),
      "/evil": "<!doctype html><html lang=en><title>\u001b]0;owned\u0007</title><h1>Title</h1>",
      "/konto": { status: 302, headers: { location: "/login?returnTo=/konto" } },
      "/moved": { status: 301, headers: { location: "/clean" } },
      "/login": "<!doctype html><html lang=en><title>Log in</title><main><h1>Log in</h1><label>Password <input type=password></label></main>",
      "/endless": pageWith("<script>for (;;);</script>"),
    });
  });
  afterAll(() => site.close());

  const allowed = () => ["--allow-private", `127.0.0.1:${site.port}`];
  const runAll = (args: string[]) => scan([...args, ...allowed()]);
  /** Runs the command only with axe-core's rules, which take half the time. */
  const run = (args: string[], input?: string) => scan([...args, "--checks", "axe", ...allowed()], input);

  it("exits with 0 for a page without violations, and prints a summary", async () => {
    const { status, stdout } = await run([site.url("/clean")]);
    expect(stdout).toContain("“Clean”");
    expect(stdout).toContain("0 violated rules, 0 elements");
    expect(status).toBe(0);
  });

  it("exits with 1 for violations, and names rule and element", async () => {
    const { status, stdout } = await run([site.url("/bad")]);
    expect(stdout).toMatch(/critical +image-alt: .+ \(1\)\n +#bare/);
    expect(status).toBe(1);
  });

  it("exits with 2 when a page could not be checked, whatever the results of others", async () => {
    const { status, stdout } = await run([
      site.url("/bad"),
      site.url("/missing"),
      "nonsense",
      "http://10.0.0.1/",
    ]);
    expect(stdout).toContain("Not checked (http_status)");
    expect(stdout).toContain("Not checked (invalid_url)");
    expect(stdout).toContain("Not checked (blocked_address)");
    expect(stdout).toContain("image-alt");
    expect(status).toBe(2);
  });

  it("exits with 2 for a page that led to a sign-in, and names both addresses", async () => {
    const { status, stdout } = await run([site.url("/konto"), site.url("/moved"), site.url("/login")]);
    expect(stdout).toContain(`${site.url("/konto")}\n  Led to: ${site.url("/login?returnTo=/konto")}\n  Not checked (login_required)`);
    expect(stdout).toContain(`${site.url("/moved")}\n  Led to: ${site.url("/clean")}\n  “Clean”`);
    expect(stdout).toMatch(/\/login\n {2}“Log in”/);
    expect(status).toBe(2);
  });

  it("refuses a private address that is not explicitly allowed", async () => {
    const before = site.requests.length;
    const { status, stdout } = await scan([site.url("/clean")]);
    expect(stdout).toContain("Not checked (blocked_address)");
    expect(status).toBe(2);
    expect(site.requests.length).toBe(before);
  });

  it.each([[["--level", "AAAA", "https://example.org"]], [["--allow-private", "10.0.0.0/99", "https://example.org"]], [["--rules", "no-such-rule", "https://example.org"]]])(
    "exits with 2 for wrong arguments: %j",
    async (args) => {
      const { status, stdout, stderr } = await scan(args);
      expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
      expect(stderr.trim().split("\n").length).toBeLessThan(4);
    },
  );

  it("prints its help", async () => {
    expect(await scan(["--help"])).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("--allow-private") as string,
    });
  });

  it("prints its help to a reader that has closed it, without a complaint", async () => {
    const child = start(["--help"]);
    child.stdout.destroy();
    const [stderr, [status]] = await Promise.all([textOf(child.stderr), once(child, "exit") as Promise<[number]>]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  });

  it("--json for one URL prints the run's document", async () => {
    const { stdout } = await run([site.url("/bad"), "--json", "--level", "A"]);
    const document = JSON.parse(stdout) as RunDocument;
    expect(document).toMatchObject({
      schema: 1,
      run: {
        url: site.url("/bad"),
        scope: "page",
        status: "succeeded",
        standard: "WCAG 2.2 A",
        engine: { name: "axe-core" },
      },
      stats: { pages: 1, failedPages: 0, violations: 1, elements: 1 },
    });
    const [page] = document.pages;
    expect(page).toMatchObject({ status: "succeeded", reason: null, partial: [], title: "Page", lang: "en" });
    expect(page?.violations).toMatchObject([
      {
        ruleId: "image-alt",
        source: "axe",
        impact: "critical",
        nodes: [
          {
            target: ["#bare"],
            html: expect.stringContaining('<img id="bare"') as string,
            failureSummary: expect.stringMatching(
              /^Fix any of the following:\n {2}Element does not have an alt/,
            ) as string,
            conditions: ["desktop"],
          },
        ],
      },
    ]);
    expect(page?.passes[0]).not.toHaveProperty("nodes");
    expect(page?.passes.length).toBe((document.stats as { passes: number }).passes);
  });

  it("finds with our own rules what axe-core does not look for, unless --checks axe leaves them out", async () => {
    const rulesOf = async (...args: string[]) => {
      const { stdout } = await runAll([site.url("/bad"), "--json", ...args]);
      const { run: about, pages } = JSON.parse(stdout) as RunDocument;
      const own = pages.flatMap(({ violations }) => violations).filter(({ source }) => source === "rampe");
      return { engines: about.engines.map(({ name }) => name), own: own.map(({ ruleId }) => ruleId) };
    };
    expect(await rulesOf()).toEqual({ engines: ["axe-core", "rampe"], own: ["rampe-page-title"] });
    expect(await rulesOf("--checks", "axe")).toEqual({ engines: ["axe-core"], own: [] });
  });

  it("runs only the rules that are asked for, or all but one, and lists them all", async () => {
    const found = async (...args: string[]) => {
      const { stdout } = await runAll([site.url("/bad"), "--json", ...args]);
      return (JSON.parse(stdout) as RunDocument).pages.flatMap(({ violations }) => violations).map(({ ruleId }) => ruleId);
    };
    expect(await found("--rules", "image-alt")).toEqual(["image-alt"]);
    expect(await found()).toContain("image-alt");
    const others = await found("--no-rule", "image-alt");
    expect(others).toContain("rampe-page-title");
    expect(others).not.toContain("image-alt");
    const { stdout, status } = await scan(["--list-rules"]);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^image-alt +axe +1\.1\.1 +Images must have/m);
    expect(stdout).toMatch(/^rampe-page-title +rampe +2\.4\.2 +The title of a page says/m);
    const notRun = await scan([site.url("/bad"), "--rules", "rampe-page-title", "--checks", "axe"]);
    expect(notRun).toMatchObject({ status: 2, stderr: expect.stringMatching(/rule/) as string });
  });

  it("--json for several URLs, or standard input, prints one line per page", async () => {
    const several = await run([site.url("/bad"), site.url("/clean"), "--json"]);
    expect(
      linesOf(several.stdout)
        .map(({ url }) => url)
        .sort(),
    ).toEqual([site.url("/bad"), site.url("/clean")]);

    const input = await run(
      ["-", "--json", "--concurrency", "1"],
      `${site.url("/clean")}\n\n${site.url("/missing")}\n`,
    );
    expect(linesOf(input.stdout)).toMatchObject([
      { url: site.url("/clean"), status: "succeeded" },
      { url: site.url("/missing"), status: "failed", reason: "http_status", violations: [] },
    ]);
    expect(input.status).toBe(2);
  });

  it("--csv contains no formula for a spreadsheet", async () => {
    const { stdout } = await run([site.url("/bad"), site.url("/missing"), "--csv", "--concurrency", "1"]);
    const lines = stdout.split("\r\n");
    expect(lines[0]).toBe("page,status,reason,result,rule,impact,help,help_url,element,html,summary,reached,linked_from,source,problem");
    expect(lines[1]).toContain(`${site.url("/bad")},succeeded,,violation,color-contrast,serious,`);
    expect(stdout).toContain(`${site.url("/missing")},failed,http_status,`);
    expect(stdout).not.toMatch(/(^|,|")[=+@-]/m);
  });

  it("--sarif has a result per element and a notification per unchecked page", async () => {
    const { stdout } = await run([site.url("/bad"), site.url("/missing"), "--sarif"]);
    const log = JSON.parse(stdout) as {
      runs: [{ tool: { driver: { rules: { id: string }[] } }; results: unknown[]; invocations: unknown[] }];
    };
    const [{ tool, results, invocations }] = log.runs;
    expect(tool.driver.rules.map(({ id }) => id)).toContain("image-alt");
    expect(results).toContainEqual(
      expect.objectContaining({
        ruleId: "image-alt",
        level: "error",
        locations: [
          expect.objectContaining({
            logicalLocations: [{ fullyQualifiedName: "#bare", kind: "element" }],
          }) as unknown,
        ],
      }),
    );
    expect(invocations).toMatchObject([
      { executionSuccessful: false, toolExecutionNotifications: [{ descriptor: { id: "http_status" } }] },
    ]);
  });

  describe("a whole site", () => {
    const linked = (...paths: string[]) => pageWith(paths.map((path) => `<p><a href="${path}">${path}</a></p>`).join(""));
    let whole: Site;

    beforeAll(async () => {
      whole = await openSite({
        "/": linked("/one", "/two", "/manual.pdf"),
        "/one": linked("/three"),
        "/two": linked(),
        "/three": linked(),
      });
    });
    afterAll(() => whole.close());

    const runSite = (...args: string[]) =>
      scan([whole.url("/"), "--site", "--checks", "axe", ...args, "--allow-private", `127.0.0.1:${whole.port}`]);

    it("is checked with all its pages, as one document", async () => {
      const { status, stdout } = await runSite("--json");
      const { schema, run, stats, pages } = JSON.parse(stdout) as RunDocument;
      expect(schema).toBe(1);
      expect(run).toMatchObject({ scope: "site", status: "succeeded", url: whole.url("/") });
      expect(run.crawl).toMatchObject({ pages: 4, limited: false, skipped: { files: 1 } });
      expect(stats).toMatchObject({ pages: 4, failedPages: 0, violations: 4 });
      expect(pages.map(({ url }) => url).sort()).toEqual(
        ["/", "/one", "/three", "/two"].map((path) => whole.url(path)),
      );
      expect(status).toBe(1);
    });

    it("tells once what only several pages show together, in every format", async () => {
      const menu = (...paths: string[]) => pageWith(`<nav>${paths.map((path) => `<a href="${path}">Menu ${path}</a>`).join(" ")}</nav>`);
      const shop = await openSite({ "/": menu("/", "/tea", "/cups"), "/tea": menu("/", "/tea", "/cups"), "/cups": menu("/cups", "/", "/tea") });
      const rule = "rampe-consistent-navigation";
      const runShop = (...args: string[]) => scan([shop.url("/"), "--site", "--rules", rule, ...args, "--allow-private", `127.0.0.1:${shop.port}`]);
      try {
        const [document, csv, sarif, text] = await Promise.all([runShop("--json"), runShop("--csv"), runShop("--sarif"), runShop()]);
        const { stats, pages } = JSON.parse(document.stdout) as RunDocument;
        expect(stats).toMatchObject({ pages: 3, violations: 1, elements: 1 });
        expect(pages.filter(({ violations }) => violations.length > 0)).toMatchObject([
          { url: shop.url("/cups"), violations: [{ ruleId: rule, source: "rampe", nodes: [{ target: [expect.stringContaining("nav")], conditions: ["desktop"] }] }] },
        ]);
        expect(document.status).toBe(1);
        for (const { stdout } of [csv, sarif]) expect(stdout).toContain("comes before");
        expect(text.stdout).toMatch(/Across the pages of the site:\s+http\S+\/cups\s[^]*rampe-consistent-navigation/);
      } finally {
        await shop.close();
      }
    });

    it("ends at the page limit, and reports that", async () => {
      const { stdout } = await runSite("--max-pages", "2");
      expect(stdout.match(/image-alt/g)).toHaveLength(2);
      expect(stdout).toContain("Stopped at 2 pages, the most allowed");
    });

    it("with other sites, or as a table, has lines for each page and a summary for each site", async () => {
      const { stdout: lines, stderr: summaries } = await scan([
        ...[whole.url("/two"), whole.url("/three"), "--site", "--json", "--checks", "axe"],
        ...["--allow-private", `127.0.0.1:${whole.port}`],
      ]);
      expect(linesOf(lines).map(({ url }) => url)).toEqual([whole.url("/two"), whole.url("/three")]);
      expect(summaries).toContain(`Site ${whole.url("/two")}\n`);
      expect(summaries).toContain(`Site ${whole.url("/three")}\n`);
      const { stdout: table } = await runSite("--csv");
      expect(table.match(/image-alt/g)?.length).toBeGreaterThanOrEqual(4);
    });
  });

  it("prints no control characters of a page to the terminal", async () => {
    const { stdout } = await run([site.url("/evil")]);
    expect(stdout).toContain("owned");
    expect(stdout.includes("\u001b") || stdout.includes("\u0007")).toBe(false);
  });

  it.skipIf(process.platform !== "linux")("ends its browser when it is interrupted", async () => {
    const mark = `Rampe/${Math.random()}`;
    const child = start([site.url("/endless"), ...allowed()], { SCAN_USER_AGENT: mark });
    const said = textOf(child.stderr);
    await expect.poll(() => site.requests.includes("/endless")).toBe(true);
    child.kill("SIGINT");
    const [status] = (await once(child, "exit")) as [number];
    expect(status).toBe(2);
    expect(await said).toContain("Interrupted: what was written is not complete.");
    expect(browserProcesses(mark)).toEqual([]);
  });
});

interface RunDocument {
  schema: number;
  run: { crawl?: unknown; engines: { name: string }[] };
  stats: unknown;
  pages: { url: string; violations: { ruleId: string; source: string }[]; passes: unknown[] }[];
}

const linesOf = (stdout: string) =>
  stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { url: string });

function start(args: string[], env: Record<string, string> = {}) {
  // Without the environment of Vitest, which sets its own BASE_URL.
  return spawn(process.execPath, [program, ...args], {
    env: { ...process.env, BASE_URL: "", ...env },
  });
}

async function scan(args: string[], input = ""): Promise<{ status: number; stdout: string; stderr: string }> {
  const child = start(args);
  child.stdin.end(input);
  const [stdout, stderr, [status]] = await Promise.all([
    textOf(child.stdout),
    textOf(child.stderr),
    once(child, "exit") as Promise<[number]>,
  ]);
  return { status, stdout, stderr };
}

async function textOf(stream: NodeJS.ReadableStream): Promise<string> {
  let text = "";
  for await (const chunk of stream) text += String(chunk);
  return text;
}
