import { Link } from "@remix-run/react";
import { Fragment } from "react";
import type { TextBlock, TextSpan } from "./legal-pages";

/** Text of the operator; its headings are below the page heading. */
export function LegalText({ blocks }: { blocks: TextBlock[] }) {
  // Stable key: a text does not change while it is displayed.
  return blocks.map((block, position) => <Block key={position} block={block} />);
}

function Block({ block }: { block: TextBlock }) {
  switch (block.kind) {
    case "heading": {
      const Heading = `h${block.level}` as "h2";
      return (
        <Heading>
          <Spans spans={block.children} />
        </Heading>
      );
    }
    case "paragraph":
      return (
        <p>
          <Spans spans={block.children} />
        </p>
      );
    case "list": {
      const items = block.items.map((item, position) => (
        <li key={position}>
          <Item blocks={item} />
        </li>
      ));
      return block.start === null ? <ul>{items}</ul> : <ol start={block.start}>{items}</ol>;
    }
    case "quote":
      return (
        <blockquote>
          <LegalText blocks={block.blocks} />
        </blockquote>
      );
    case "rule":
      return <hr />;
  }
}

/** List item; its first paragraph has no `<p>`. */
function Item({ blocks }: { blocks: TextBlock[] }) {
  const [first, ...rest] = blocks;
  if (first?.kind !== "paragraph") return <LegalText blocks={blocks} />;
  return (
    <>
      <Spans spans={first.children} />
      <LegalText blocks={rest} />
    </>
  );
}

function Spans({ spans }: { spans: TextSpan[] }) {
  return spans.map((span, position) => <Fragment key={position}>{typeof span === "string" ? span : <Span span={span} />}</Fragment>);
}

function Span({ span }: { span: Exclude<TextSpan, string> }) {
  switch (span.kind) {
    case "strong":
      return (
        <strong>
          <Spans spans={span.children} />
        </strong>
      );
    case "emphasis":
      return (
        <em>
          <Spans spans={span.children} />
        </em>
      );
    case "code":
      return (
        <code>
          <Spans spans={span.children} />
        </code>
      );
    case "break":
      return <br />;
    case "link":
      return span.href.startsWith("/") ? (
        <Link to={span.href}>
          <Spans spans={span.children} />
        </Link>
      ) : (
        <a href={span.href}>
          <Spans spans={span.children} />
        </a>
      );
  }
}
