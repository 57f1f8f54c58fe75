import type { Content, Definition, List, Parent, PhrasingContent } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import type { TextBlock, TextSpan } from "./legal-pages";

const DEEPEST = 6;
/** Highest heading level, below the heading of the page. */
const FIRST_LEVEL = 2;
const SAFE_LINK = /^(?:https?:\/\/|mailto:|tel:|\/(?!\/))/i;

/**
 * Parses CommonMark (https://commonmark.org) for a page. HTML is shown as plain text, an image as its alternative text, and
 * a link only as its text, unless its target is a page, an e-mail address or a telephone.
 */
export function readMarkdown(source: string): { title: string | null; blocks: TextBlock[] } {
  const root = fromMarkdown(source.replace(/^\uFEFF/, ""));
  const definitions = new Map(definitionsIn(root).map((each) => [each.identifier, each.url]));
  const [first, ...rest] = root.children;
  const hasTitle = first?.type === "heading" && first.depth === 1;
  const content = hasTitle ? rest : root.children;
  const levels = createLevels(content);
  return { title: hasTitle ? plainText(first.children) : null, blocks: blocksOf(content) };

  function blocksOf(nodes: Content[]): TextBlock[] {
    return nodes.flatMap((node): TextBlock[] => {
      switch (node.type) {
        case "heading":
          return [{ kind: "heading", level: levels(node.depth), children: spansOf(node.children) }];
        case "paragraph":
          return [{ kind: "paragraph", children: spansOf(node.children) }];
        case "list":
          return [{ kind: "list", start: startOf(node), items: node.children.map(({ children }) => blocksOf(children)) }];
        case "blockquote":
          return [{ kind: "quote", blocks: blocksOf(node.children) }];
        case "code":
          // Indented text: usually a postal address, not code.
          return [{ kind: "paragraph", children: linesOf(node.value) }];
        case "html":
          return isComment(node.value) ? [] : [{ kind: "paragraph", children: [node.value] }];
        case "thematicBreak":
          return [{ kind: "rule" }];
        default:
          return [];
      }
    });
  }

  function spansOf(nodes: PhrasingContent[]): TextSpan[] {
    return joined(nodes.flatMap(spanOf));
  }

  function spanOf(node: PhrasingContent): TextSpan[] {
    switch (node.type) {
      case "text":
        return [node.value];
      case "html":
        return isComment(node.value) ? [] : [node.value];
      case "strong":
      case "emphasis":
        return [{ kind: node.type, children: spansOf(node.children) }];
      case "inlineCode":
        return [{ kind: "code", children: [node.value] }];
      case "break":
        return [{ kind: "break" }];
      case "link":
        return linkTo(node.url, spansOf(node.children));
      case "linkReference":
        return linkTo(definitions.get(node.identifier) ?? "", spansOf(node.children));
      case "image":
      case "imageReference":
        return [node.alt ?? ""];
      default:
        return [];
    }
  }
}

/** Joins adjacent strings that were split by Markdown syntax. */
function joined(spans: TextSpan[]): TextSpan[] {
  return spans.reduce<TextSpan[]>((all, span) => {
    const last = all.at(-1);
    return typeof span === "string" && typeof last === "string" ? [...all.slice(0, -1), last + span] : [...all, span];
  }, []);
}

function linkTo(href: string, children: TextSpan[]): TextSpan[] {
  return SAFE_LINK.test(href) ? [{ kind: "link", href, children }] : children;
}

const linesOf = (text: string): TextSpan[] =>
  text.split("\n").flatMap((line, position): TextSpan[] => (position === 0 ? [line] : [{ kind: "break" }, line]));

const startOf = ({ ordered, start }: List): number | null => (ordered ? (start ?? 1) : null);

const isComment = (html: string): boolean => /^<!--[^]*-->$/.test(html.trim());

/** Heading levels without gaps; the highest one is directly below the page heading. */
function createLevels(content: Content[]): (depth: number) => number {
  const top = Math.min(...content.map((node) => (node.type === "heading" ? node.depth : DEEPEST)));
  let last = FIRST_LEVEL - 1;
  return (depth) => (last = Math.min(depth - top + FIRST_LEVEL, last + 1, DEEPEST));
}

function definitionsIn(parent: Parent): Definition[] {
  return parent.children.flatMap((node) => {
    if (node.type === "definition") return [node];
    return "children" in node ? definitionsIn(node) : [];
  });
}

function plainText(nodes: PhrasingContent[]): string {
  return nodes.map((node) => ("value" in node ? node.value : "children" in node ? plainText(node.children) : "")).join("");
}

