import { setImmediate as breathe } from "node:timers/promises";
import type { PdfObjects } from "~/reports/pdf/file/pdf-file";
import { dict, isDict, readName, Ref, type Dict, type PdfValue } from "~/reports/pdf/file/value";
import type { Box } from "./content";

/** Element of the structure tree. */
interface Element {
  ref: Ref;
  dict: Dict;
  type: string;
}

/** Necessary changes in the structure of a document, in reading order. */
export interface Structure {
  links: { element: Element; annotations: Ref[] }[];
  figures: Element[];
  listItems: Element[];
  /** Marked content on each page (by number of its object) that repeats the head of a table. */
  repetitions: Map<number, Set<number>>;
  /** Types that are not part of PDF 1.7. */
  foreignTypes: Set<string>;
}

/** Number of elements after which other requests run. */
const AT_ONCE = 1_000;

export async function readStructure(file: PdfObjects, root: Dict): Promise<Structure> {
  const structure: Structure = { links: [], figures: [], listItems: [], repetitions: new Map(), foreignTypes: new Set() };
  const stack = elementsOf(file, root).reverse();
  let count = 0;
  for (let element = stack.pop(); element; element = stack.pop()) {
    const { type } = element;
    if (type === "Link") structure.links.push({ element, annotations: annotationsOf(file, element) });
    else if (type === "Figure") structure.figures.push(element);
    else if (type === "LI") structure.listItems.push(element);
    else if (!TYPES.has(type)) structure.foreignTypes.add(type);
    if (type === "TH" && isColumnHead(element.dict)) findRepetitions(file, element, structure.repetitions);
    stack.push(...elementsOf(file, element.dict).reverse());
    if ((count += 1) % AT_ONCE === 0) await breathe();
  }
  return structure;
}

/** Standard types of PDF 1.7. */
const TYPES = new Set(
  (
    "Document Part Art Sect Div BlockQuote Caption TOC TOCI Index NonStruct Private P H H1 H2 H3 H4 H5 H6 L LI Lbl LBody Table TR TH TD " +
    "THead TBody TFoot Span Quote Note Reference BibEntry Code Link Annot Ruby Warichu RB RT RP WT WP Figure Formula Form"
  ).split(" "),
);

/** Children of a node, unresolved: elements, marked content and annotations. */
function childrenOf(file: PdfObjects, node: Dict): PdfValue[] {
  const kids = node.get("K");
  if (kids === undefined) return [];
  const list = file.resolve(kids);
  return Array.isArray(list) ? list : [kids];
}

function elementsOf(file: PdfObjects, node: Dict): Element[] {
  return childrenOf(file, node).flatMap((child) => {
    const element = elementAt(file, child);
    return element ? [element] : [];
  });
}

function elementAt(file: PdfObjects, child: PdfValue | undefined): Element | null {
  if (!(child instanceof Ref)) return null;
  const value = file.resolve(child);
  return isDict(value) && value.has("S") ? { ref: child, dict: value, type: readName(value.get("S")) } : null;
}

function annotationsOf(file: PdfObjects, { dict: link }: Element): Ref[] {
  return childrenOf(file, link).flatMap((child) => {
    const value = file.resolve(child);
    const annotation = isDict(value) && value.get("Type") === "/OBJR" ? value.get("Obj") : undefined;
    return annotation instanceof Ref ? [annotation] : [];
  });
}

function isColumnHead(head: Dict): boolean {
  const attributes = head.get("A");
  const all = Array.isArray(attributes) ? attributes : [attributes];
  return all.some((each) => isDict(each) && each.get("Scope") === "/Column");
}

/** Finds repeated table heads: screen readers would read a head again on each page of its table. */
function findRepetitions(file: PdfObjects, head: Element, repetitions: Structure["repetitions"]): void {
  let first: number | null = null;
  const stack = [head.dict];
  for (let node = stack.pop(); node; node = stack.pop()) {
    for (const child of childrenOf(file, node)) {
      const element = elementAt(file, child);
      if (element) stack.push(element.dict);
      const content = markedContent(file, child, node);
      if (!content) continue;
      first ??= content.page;
      if (content.page !== first) {
        repetitions.set(content.page, (repetitions.get(content.page) ?? new Set()).add(content.id));
      }
    }
  }
}

/** Id of a child that is marked content, and object number of its page; null for other children. */
function markedContent(file: PdfObjects, child: PdfValue, parent: Dict): { id: number; page: number } | null {
  const reference = file.resolve(child);
  const isReference = isDict(reference) && reference.has("MCID");
  const id = isReference ? reference.get("MCID") : reference;
  const page = (isReference && reference.get("Pg")) || parent.get("Pg");
  return typeof id === "string" && /^\d+$/.test(id) && page instanceof Ref ? { id: Number(id), page: page.id } : null;
}

/** Elements of marked content: the lists of the parent tree, by the key of their page. */
export function parentsByKey(file: PdfObjects, root: Dict): Map<number, PdfValue[]> {
  const lists = new Map<number, PdfValue[]>();
  const stack = [file.resolve(root.get("ParentTree"))];
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (!isDict(node)) continue;
    const numbers = file.resolve(node.get("Nums"));
    if (Array.isArray(numbers)) {
      for (let index = 0; index + 1 < numbers.length; index += 2) {
        const list = file.resolve(numbers[index + 1]);
        if (Array.isArray(list)) lists.set(Number(numbers[index]), list);
      }
    }
    const kids = file.resolve(node.get("Kids"));
    if (Array.isArray(kids)) stack.push(...kids.map((kid) => file.resolve(kid)));
  }
  return lists;
}

/** Removes decoration from the tree. @param parents elements by marked content of the page */
export function dropDecorations(file: PdfObjects, page: Ref, decorations: number[], parents: PdfValue[]): void {
  const dropped = new Set(decorations);
  for (const id of dropped) {
    const element = elementAt(file, parents[id]);
    parents[id] = "null";
    if (!element) continue;
    const kids = childrenOf(file, element.dict).filter((child) => {
      const content = markedContent(file, child, element.dict);
      return !content || content.page !== page.id || !dropped.has(content.id);
    });
    if (kids.length > 0) element.dict.set("K", kids);
    else element.dict.delete("K");
  }
}

/** Puts the content of a list item into a body beside its label, as PDF requires. */
export function giveBody(file: PdfObjects, item: Element, parentsOf: (page: number) => PdfValue[]): void {
  const children = childrenOf(file, item.dict);
  const isLabel = (child: PdfValue) => elementAt(file, child)?.type === "Lbl";
  const rest = children.filter((child) => !isLabel(child));
  const [only] = rest.map((child) => elementAt(file, child));
  if (rest.length === 0 || (rest.length === 1 && only?.type === "LBody")) return;
  if (rest.length === 1 && only && ["NonStruct", "Div"].includes(only.type)) {
    only.dict.set("S", "/LBody");
    return;
  }
  const page = item.dict.get("Pg");
  const body = dict({ Type: "/StructElem", S: "/LBody", P: item.ref, ...(page && { Pg: page }), K: rest });
  const ref = file.add(body);
  for (const child of rest) {
    elementAt(file, child)?.dict.set("P", ref);
    const content = markedContent(file, child, item.dict);
    if (content) parentsOf(content.page)[content.id] = ref;
  }
  item.dict.set("K", [...children.filter(isLabel), ref]);
}

/** Adds the position of a figure on its page. */
export function placeFigure(file: PdfObjects, { dict: figure }: Element, boxesOf: (page: number) => Map<number, Box>): void {
  const page = figure.get("Pg");
  const boxes = childrenOf(file, figure).flatMap((child) => {
    const content = markedContent(file, child, figure);
    const box = content && page instanceof Ref && content.page === page.id ? boxesOf(page.id).get(content.id) : undefined;
    return box ? [box] : [];
  });
  const [first] = boxes;
  if (!first) return;
  const box = boxes.reduce((one, other): Box => [
    Math.min(one[0], other[0]),
    Math.min(one[1], other[1]),
    Math.max(one[2], other[2]),
    Math.max(one[3], other[3]),
  ], first);
  const layout = dict({ O: "/Layout", Placement: "/Block", BBox: box.map((value) => value.toFixed(2)) });
  const attributes = figure.get("A");
  figure.set("A", attributes === undefined ? layout : [...(Array.isArray(attributes) ? attributes : [attributes]), layout]);
}
