import { parseDocument } from "htmlparser2";

interface Node {
  type: string;
  name?: string;
  attribs?: Record<string, string>;
  children?: Node[];
  data?: string;
}

/** Structural problems of a page that must work for all visitors, also without scripts; a browser's scanner finds the others. */
export function structureProblems(html: string): string[] {
  const nodes = elementsOf(parseDocument(html));
  const named = (...names: string[]) => nodes.filter(({ name }) => names.includes(name ?? ""));
  const ids = nodes.flatMap(({ attribs }) => attribs?.id ?? []);
  const labels = new Set(named("label").map(({ attribs }) => attribs?.for));
  const problems: string[] = [];
  const must = (holds: boolean, what: string) => holds || problems.push(what);

  must(/^<!DOCTYPE html>/.test(html), "no doctype");
  must(["de", "en"].includes(named("html")[0]?.attribs?.lang ?? ""), "no language");
  for (const name of ["h1", "main", "title", "header"]) must(named(name).length === 1, `not one ${name}`);
  must(new Set(ids).size === ids.length, "an id twice");
  must(named("script", "style").length === 0, "scripts or styles");
  for (const { name, attribs = {} } of nodes) {
    must(!("style" in attribs) && !Object.keys(attribs).some((key) => key.startsWith("on")), `inline code in ${name}`);
    for (const key of ["aria-describedby", "aria-labelledby"]) {
      for (const id of (attribs[key] ?? "").split(" ").filter(Boolean)) must(ids.includes(id), `${key} leads to no ${id}`);
    }
    if (attribs.href?.startsWith("#")) must(ids.includes(attribs.href.slice(1)), `a link leads to no ${attribs.href}`);
  }
  for (const { attribs = {} } of named("input", "select")) {
    must(attribs.type === "hidden" || labels.has(attribs.id), `no label for ${attribs.id}`);
  }
  const levels = nodes.flatMap(({ name }) => (/^h[1-6]$/.test(name ?? "") ? Number(name?.slice(1)) : []));
  must(!levels.some((level, index) => index > 0 && level > Math.max(2, (levels[index - 1] ?? 1) + 1)), "a level of headings left out");
  return problems;
}

function elementsOf(node: Node): Node[] {
  const inside = (node.children ?? []).flatMap(elementsOf);
  return node.attribs ? [node, ...inside] : inside;
}
