import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "puppeteer";
import { ALL_LOOKS, FEW_LOOKS, type Look } from "./looks";
import { installPackage } from "../install-package";

export const TOOLS = ["axe", "htmlcs", "ibm", "nu"] as const;
export type Tool = (typeof TOOLS)[number];

/** Message of a tool about a page. */
export interface Message {
  tool: Tool;
  /** Id of the message in the tool. */
  code: string;
  text: string;
  /** Selector of the element, or enough of its markup to identify it. */
  where: string;
}

/** Tool that works inside a page. */
export interface Judge {
  tool: Exclude<Tool, "nu">;
  version: string;
  looks: Look[];
  /** Defines the tool in a page. */
  script: string;
  /** An expression that runs it and returns a list of messages without the tool's name. */
  run: string;
}

const AXE_TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa", "best-practice", "experimental"];

/** axe-core with all rules except AAA; results that need a person's decision count as well. */
export function axeJudge(): Judge {
  const require = createRequire(import.meta.url);
  const messages = (kind: string, suffix: string) => `found.${kind}.flatMap(({ id, help, nodes }) => nodes.map(({ target, any }) => ({
    code: id + "${suffix}", text: help + (any[0] ? ": " + any[0].message : ""), where: target.join(" ")
  })))`;
  return {
    tool: "axe",
    version: (require("axe-core/package.json") as { version: string }).version,
    looks: ALL_LOOKS,
    script: readFileSync(require.resolve("axe-core/axe.min.js"), "utf8"),
    run: `axe.run(document, { runOnly: { type: "tag", values: ${JSON.stringify(AXE_TAGS)} } })
      .then((found) => [...${messages("violations", "")}, ...${messages("incomplete", " (open)")}])`,
  };
}

/**
 * HTML_CodeSniffer for AAA, and for AA because of its other contrast; errors and warnings. Its notices are excluded: they
 * are the same questions for every page.
 */
export function htmlcsJudge(): Judge {
  const installed = installPackage("html_codesniffer", "2.5.1");
  return {
    tool: "htmlcs",
    version: installed.versionOf("html_codesniffer"),
    looks: FEW_LOOKS,
    // Without this, it crashes on some messages about autocomplete that have no text.
    script: `${readFileSync(installed.file("html_codesniffer", "build", "HTMLCS.js"), "utf8")}
      ;((text) => (HTMLCS.getTranslation = (key) => text.call(HTMLCS, key) ?? key))(HTMLCS.getTranslation)`,
    run: `["WCAG2AAA", "WCAG2AA"].reduce((before, standard) => before.then((all) => new Promise((done, failed) => {
      HTMLCS.process(standard, document, () => done(all.concat(HTMLCS.getMessages()
        .filter(({ type }) => type !== HTMLCS.NOTICE)
        .map(({ code, msg, element }) => ({ code, text: msg, where: (element.cloneNode(false).outerHTML ?? "document").slice(0, 160) })))), failed);
    })), Promise.resolve([]))`,
  };
}

/** Engine of IBM; all results except passes: failures, potential failures, and manual checks. */
export function ibmJudge(): Judge {
  const installed = installPackage("accessibility-checker-engine", "4.0.34");
  return {
    tool: "ibm",
    version: installed.versionOf("accessibility-checker-engine"),
    looks: FEW_LOOKS,
    script: readFileSync(installed.file("accessibility-checker-engine", "ace.js"), "utf8"),
    run: `new ace.Checker().check(document, ["WCAG_2_2", "IBM_Accessibility"]).then(({ results }) => results
      .filter(({ value }) => value[1] !== "PASS")
      .map(({ ruleId, reasonId, value, message, path, snippet }) => ({
        code: ruleId + " " + reasonId, text: value.join(" ") + ": " + message, where: path.dom + " " + snippet.slice(0, 100)
      })))`,
  };
}

/** All messages of a tool about the page in its current state; its script must be loaded. */
export async function judge(page: Page, { tool, run }: Judge): Promise<Message[]> {
  try {
    const messages = (await page.evaluate(run)) as Omit<Message, "tool">[];
    return messages.map((message) => ({ tool, ...message }));
  } catch (error) {
    throw new Error(`${tool} breaks on ${page.url()}`, { cause: error });
  }
}
