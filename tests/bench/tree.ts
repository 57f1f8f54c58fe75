import type { Protocol } from "puppeteer";
import { LOCALES, type Locale } from "~/platform/i18n/i18n";
import { conclude, figure, introduce } from "./support/figures";
import { readOptions, sized } from "./support/options";
import { openPublicSite, openView } from "./support/public-site";
import { openBrowser } from "../support/browser/browser";

/*
 * Data for screen readers: the accessibility trees of our public pages as text, in reading order, with names, states,
 * and the language if it differs from the page's.
 *
 *   npx tsx tests/bench/tree.ts [--en] [name …]
 */
type AxNode = Protocol.Accessibility.AXNode;

/** Facts that the accessibility tree does not contain. */
interface Origin {
  lang: string;
  current?: string;
}

/** Properties of almost every node, which readers do not need. */
const UNSAID = ["focusable", "settable", "editable", "multiline", "readonly", "roledescription", "root", "url", "labelledby", "describedby", "controls", "hasPopup"];

const options = readOptions({ flags: ["en"] });
const names = options.names.length > 0 ? options.names : sized([], ["/contact, sent"]);
const locale: Locale = options.flags.has("en") ? "en" : LOCALES[0];
introduce("Accessibility trees of the public pages");
const site = await openPublicSite(names);
let count = 0;
const browser = await openBrowser();
try {
  const context = await browser.createBrowserContext();
  for (const view of site.views) {
    const { page } = await openView(context, site.origin, view, locale);
    const session = await page.createCDPSession();
    const { nodes } = await session.send("Accessibility.getFullAXTree");
    await session.send("DOM.enable");
    const { nodes: elements } = await session.send("DOM.getFlattenedDocument", { depth: -1 });
    const text = lines(nodes, origins(elements));
    count += text.length;
    console.log(`\n=== ${view.name} (${locale})\n${text.join("\n")}`);
    await page.close();
  }
} finally {
  await browser.close();
  await site.stop();
}
conclude([figure("pages", site.views.length), figure("nodes", count)]);

function origins(elements: Protocol.DOM.Node[]): Map<number, Origin> {
  const byId = new Map(elements.map((element) => [element.nodeId, element]));
  const attribute = ({ attributes = [] }: Protocol.DOM.Node, name: string) => {
    const at = attributes.findIndex((each, index) => index % 2 === 0 && each === name);
    return at < 0 ? undefined : attributes[at + 1];
  };
  const langOf = (element: Protocol.DOM.Node | undefined): string =>
    element ? (attribute(element, "lang") ?? langOf(byId.get(element.parentId ?? -1))) : "";
  return new Map(
    elements.map((each) => [each.backendNodeId, { lang: langOf(each), current: attribute(each, "aria-current") }]),
  );
}

function lines(nodes: AxNode[], origins: Map<number, Origin>): string[] {
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const [root] = nodes;
  return root ? linesOf(root, 0, "") : [];

  function linesOf(node: AxNode, depth: number, nameAbove: string): string[] {
    const role = String(node.role?.value);
    const name = String(node.name?.value ?? "");
    const below = (more: number) => (node.childIds ?? []).flatMap((id) => {
      const child = byId.get(id);
      return child ? linesOf(child, depth + more, more ? name : nameAbove) : [];
    });
    if (node.ignored || ["generic", "none", "LineBreak"].includes(role)) return below(0);
    if (role === "InlineTextBox" || (role === "StaticText" && (name.trim() === "" || name === nameAbove))) return [];
    return ["  ".repeat(depth) + describe(node, role, name), ...below(1)];
  }

  function describe(node: AxNode, role: string, name: string): string {
    const { lang, current } = origins.get(node.backendDOMNodeId ?? -1) ?? { lang: locale };
    const states = (node.properties ?? [])
      .filter(({ name, value: { value } }) => !UNSAID.includes(name) && value !== false && !(name === "invalid" && value === "false"))
      .map(({ name: state, value }) => (value.value === true ? state : `${state}=${value.value}`));
    const description = String(node.description?.value ?? "");
    return [
      role === "StaticText" ? `"${name}"` : `${role}${name ? ` "${name}"` : ""}`,
      description && `described "${description}"`,
      node.value?.value && `value "${node.value.value}"`,
      ...states,
      current && `current=${current}`,
      lang !== locale && `[${lang}]`,
    ]
      .filter(Boolean)
      .join(" ");
  }
}
