import { readPdf, type PdfObjects } from "~/reports/pdf/file/pdf-file";
import { isDict, readName, readText, Ref, type Dict, type PdfValue } from "~/reports/pdf/file/value";
import { pdfPages, type PdfPage } from "./pdf-text";

/** Element of a PDF's structure tree. */
interface PdfElement {
  type: string;
  dict: Dict;
  parent: PdfElement | null;
  children: PdfElement[];
  /** Direct content, without that of children. */
  content: { page: number; id: number; text: string }[];
  /** Object numbers of its annotations. */
  annotations: number[];
}

export interface PdfDocument {
  file: PdfObjects;
  catalog: Dict;
  pages: PdfPage[];
  /** Elements in reading order. */
  elements: PdfElement[];
  xmp: string;
}

/** Reads a PDF printed by Chromium. */
export function readDocument(bytes: Uint8Array): PdfDocument {
  const file = readPdf(bytes);
  const catalog = file.dict(file.trailer.get("Root"));
  const pages = pdfPages(file);
  const texts = new Map(pages.map(({ ref, texts }) => [ref.id, texts]));
  const elements: PdfElement[] = [];
  const listOf = (value: PdfValue | undefined): PdfValue[] => {
    const list = file.resolve(value);
    return value === undefined ? [] : Array.isArray(list) ? list : [value];
  };

  function visit(node: Dict, parent: PdfElement | null): void {
    for (const kid of listOf(node.get("K"))) {
      const value = file.resolve(kid);
      if (isDict(value) && value.has("S")) {
        const element: PdfElement = { type: readName(value.get("S")), dict: value, parent, children: [], content: [], annotations: [] };
        elements.push(element);
        parent?.children.push(element);
        visit(value, element);
      } else if (isDict(value) && value.get("Type") === "/OBJR") {
        parent?.annotations.push((value.get("Obj") as Ref).id);
      } else {
        const page = ((isDict(value) ? value.get("Pg") : undefined) ?? node.get("Pg")) as Ref;
        const id = Number(isDict(value) ? value.get("MCID") : value);
        parent?.content.push({ page: page.id, id, text: texts.get(page.id)?.get(id) ?? "" });
      }
    }
  }
  visit(file.dict(catalog.get("StructTreeRoot")), null);
  const metadata = catalog.get("Metadata");
  return { file, catalog, pages, elements, xmp: metadata instanceof Ref ? Buffer.from(file.stream(metadata), "latin1").toString("utf8") : "" };
}

/** All content of an element, including that of its children. */
export const contentOf = (element: PdfElement): PdfElement["content"] => [...element.content, ...element.children.flatMap(contentOf)];

export const textOf = (element: PdfElement): string => contentOf(element).map(({ text }) => text).join("");

/** First value of an attribute of an element. */
export function attributeOf({ dict }: PdfElement, name: string): PdfValue | undefined {
  const attributes = dict.get("A");
  return (Array.isArray(attributes) ? attributes : [attributes]).find((each): each is Dict => isDict(each) && each.has(name))?.get(name);
}

/** Problems by PDF/UA-1 (Matterhorn Protocol) that a program can detect, as sentences; [] for none. */
export function pdfUaProblems(bytes: Uint8Array): string[] {
  const document = readDocument(bytes);
  const header = Buffer.from(bytes.subarray(0, 8)).toString("latin1");
  return [
    ...(header === "%PDF-1.7" ? [] : [`it begins with ${header}`]),
    ...ofCatalog(document),
    ...document.pages.flatMap((page) => ofPage(document, page)),
    ...ofTypes(document),
    ...ofHeadings(document),
    ...ofNesting(document),
    ...ofFigures(document),
    ...ofFonts(document),
  ];
}

function ofCatalog({ file, catalog, xmp }: PdfDocument): string[] {
  const info = file.dict(file.trailer.get("Info"));
  const isTrue = (dict: string, key: string) => catalog.has(dict) && file.dict(catalog.get(dict)).get(key) === "true";
  const facts: Record<string, boolean> = {
    "not marked as tagged": isTrue("MarkInfo", "Marked") && !isTrue("MarkInfo", "Suspects"),
    "the title of the document is not shown": isTrue("ViewerPreferences", "DisplayDocTitle"),
    "no language": /^[a-z]{2,3}(-[\w-]+)?$/i.test(readText(catalog.get("Lang")) ?? ""),
    "no claim to be PDF/UA-1": xmp.includes("<pdfuaid:part>1</pdfuaid:part>") && xmp.includes('xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/"'),
    "no title in the metadata": /<dc:title><rdf:Alt><rdf:li xml:lang="x-default">[^<]+</.test(xmp),
    "no language in the metadata": /<dc:language><rdf:Bag><rdf:li>[^<]+</.test(xmp),
    "no title": (readText(info.get("Title")) ?? "") !== "",
    "encrypted": !file.trailer.has("Encrypt"),
    "scripts, actions or files": !["OpenAction", "AA", "AcroForm", "Names"].some((key) => catalog.has(key)),
    "no outline": catalog.has("Outlines"),
  };
  return Object.entries(facts).flatMap(([problem, holds]) => (holds ? [] : [problem]));
}

const OPERATORS = /(?<=[\s>])(BDC|BMC|EMC|Tj|TJ|Do|sh|f\*?|F|S|s|B\*?|b\*?)(?=\s|$)/g;

function ofPage({ file, catalog, elements }: PdfDocument, { ref, dict, content }: PdfPage): string[] {
  const problems: string[] = [];
  let depth = 0;
  for (const [operator] of ` ${content}`.matchAll(OPERATORS)) {
    if (operator.startsWith("B") && operator.endsWith("C")) depth += 1;
    else if (operator === "EMC") depth -= 1;
    else if (depth !== 1) problems.push(`${operator} in ${depth} marks on page ${ref.id}`);
  }
  if (depth !== 0) problems.push(`marks without an end on page ${ref.id}`);

  const marked = [...content.matchAll(/\/MCID (\d+)/g)].map(([, id]) => Number(id));
  const own = elements.flatMap((element) => element.content.flatMap(({ page, id }) => (page === ref.id ? [{ id, element }] : [])));
  const parents = parentTree(file, catalog);
  const list = parents.get(Number(dict.get("StructParents")));
  for (const id of marked) {
    const owners = own.filter((each) => each.id === id);
    if (owners.length !== 1) problems.push(`content ${id} of page ${ref.id} is ${owners.length} times in the tree`);
    const parent = Array.isArray(list) ? file.resolve(list[id]) : undefined;
    if (parent !== owners[0]?.element.dict) problems.push(`content ${id} of page ${ref.id} has another parent`);
  }
  for (const { id } of own) if (!marked.includes(id)) problems.push(`content ${id} is not on page ${ref.id}`);

  const annotations = file.resolve(dict.get("Annots"));
  if (!Array.isArray(annotations) || annotations.length === 0) return problems;
  if (dict.get("Tabs") !== "/S") problems.push(`no tab order on page ${ref.id}`);
  for (const annotation of annotations as Ref[]) {
    const entries = file.dict(annotation);
    const parent = file.resolve(parents.get(Number(entries.get("StructParent"))));
    const element = elements.find(({ annotations }) => annotations.includes(annotation.id));
    if (entries.get("Subtype") !== "/Link" || element?.type !== "Link") problems.push(`annotation ${annotation.id} is no link in the tree`);
    if (parent !== element?.dict) problems.push(`annotation ${annotation.id} has another parent`);
    if (!readText(entries.get("Contents"))) problems.push(`link ${annotation.id} has no name`);
  }
  return problems;
}

function parentTree(file: PdfObjects, catalog: Dict): Map<number, PdfValue> {
  const tree = file.dict(file.dict(catalog.get("StructTreeRoot")).get("ParentTree"));
  const entries = new Map<number, PdfValue>();
  const visit = (node: Dict) => {
    const numbers = file.resolve(node.get("Nums"));
    for (let index = 0; Array.isArray(numbers) && index < numbers.length; index += 2) {
      const value = file.resolve(numbers[index + 1]);
      if (value !== undefined) entries.set(Number(numbers[index]), value);
    }
    const kids = file.resolve(node.get("Kids"));
    if (Array.isArray(kids)) for (const kid of kids) visit(file.dict(kid));
  };
  visit(tree);
  return entries;
}

const STANDARD =
  /^(Document|Part|Art|Sect|Div|BlockQuote|Caption|NonStruct|P|H[1-6]|L|LI|Lbl|LBody|Table|TR|TH|TD|THead|TBody|TFoot|Span|Quote|Note|Code|Link|Figure)$/;

function ofTypes({ file, catalog, elements }: PdfDocument): string[] {
  const root = file.dict(catalog.get("StructTreeRoot"));
  const roles = root.has("RoleMap") ? file.dict(root.get("RoleMap")) : new Map<string, PdfValue>();
  const unknown = new Set(elements.map(({ type }) => type).filter((type) => !STANDARD.test(type) && !STANDARD.test(readName(roles.get(type)))));
  const languages = elements.flatMap(({ dict }) => (dict.has("Lang") ? [readText(dict.get("Lang")) ?? ""] : []));
  return [
    ...[...unknown].map((type) => `unknown type ${type}`),
    ...[...roles.keys()].filter((type) => STANDARD.test(type)).map((type) => `standard type ${type} has another role`),
    ...languages.filter((language) => !/^[a-z]{1,8}(-[a-z0-9]{1,8})*$/i.test(language)).map((language) => `language ${language}`),
  ];
}

function ofHeadings({ elements }: PdfDocument): string[] {
  let before = 0;
  return elements.flatMap(({ type }) => {
    const level = Number(/^H([1-6])$/.exec(type)?.[1] ?? 0);
    if (level === 0) return [];
    const isSkipped = level > before + 1;
    before = level;
    return isSkipped ? [`a heading of level ${level} skips one`] : [];
  });
}

/** Visible children: elements for grouping are replaced by their children. */
const shown = (element: PdfElement): PdfElement[] => element.children.flatMap((child) => (["NonStruct", "Div", "Sect", "Part"].includes(child.type) ? shown(child) : [child]));

const CHILDREN: Record<string, string[]> = {
  Table: ["TR", "THead", "TBody", "TFoot", "Caption"],
  THead: ["TR"],
  TBody: ["TR"],
  TR: ["TH", "TD"],
  L: ["LI", "Caption"],
  LI: ["Lbl", "LBody"],
};
const PARENTS: Record<string, string[]> = { TR: ["Table", "THead", "TBody", "TFoot"], TH: ["TR"], TD: ["TR"], LI: ["L"], Lbl: ["LI"], LBody: ["LI"] };

function ofNesting({ elements }: PdfDocument): string[] {
  return elements.flatMap((element) => {
    const { type } = element;
    const wrong = CHILDREN[type] ? shown(element).filter((child) => !CHILDREN[type]?.includes(child.type)) : [];
    return [
      ...wrong.map((child) => `${child.type} in ${type}`),
      ...(PARENTS[type] && !PARENTS[type].includes(element.parent?.type ?? "") ? [`${type} in ${element.parent?.type}`] : []),
      ...(type === "LI" && element.content.length > 0 ? ["content in LI"] : []),
      ...(type === "TH" && attributeOf(element, "Scope") === undefined ? [`header cell without scope: ${textOf(element)}`] : []),
    ];
  });
}

function ofFigures({ elements }: PdfDocument): string[] {
  return elements.flatMap((element) => {
    if (element.type !== "Figure") return [];
    const box = attributeOf(element, "BBox");
    const [left = 0, bottom = 0, right = 0, top = 0] = Array.isArray(box) ? box.map(Number) : [];
    return [
      ...(readText(element.dict.get("Alt")) ? [] : ["a figure has no alternative text"]),
      ...(right > left && top > bottom && left >= 0 && top <= 842 ? [] : [`a figure has no place: ${left} ${bottom} ${right} ${top}`]),
    ];
  });
}

function ofFonts({ file, pages }: PdfDocument): string[] {
  const fonts = pages.flatMap(({ dict }) => {
    const named = file.resolve(file.dict(dict.get("Resources")).get("Font"));
    return isDict(named) ? [...named.values()] : [];
  });
  return [...new Set(fonts.map((font) => file.dict(font)))].flatMap((font) => {
    const descendants = file.resolve(font.get("DescendantFonts"));
    const inner = Array.isArray(descendants) ? file.dict(descendants[0]) : font;
    const descriptor = inner.has("FontDescriptor") ? file.dict(inner.get("FontDescriptor")) : new Map<string, PdfValue>();
    const name = readName(font.get("BaseFont"));
    return [
      ...(["FontFile", "FontFile2", "FontFile3"].some((key) => descriptor.has(key)) ? [] : [`font ${name} is not embedded`]),
      ...(font.has("ToUnicode") ? [] : [`font ${name} has no characters`]),
    ];
  });
}
