import { setImmediate as breathe } from "node:timers/promises";
import { readPdf, type PdfObjects } from "~/reports/pdf/file/pdf-file";
import { dict, isDict, readName, readText, Ref, textString, type Dict, type PdfValue } from "~/reports/pdf/file/value";
import { markDecorations, type Box } from "./content";
import { readLinkNames, type LinkNames } from "./link-names";
import { metadata, metadataEntries } from "./metadata";
import { dropDecorations, giveBody, parentsByKey, placeFigure, readStructure, type Structure } from "./structure";

/**
 * Makes a tagged PDF from Chromium conform to PDF/UA-1: metadata, names of links, positions of figures, bodies of list
 * items, and decoration apart from content. Needs about four times the memory of the file; lets other requests run meanwhile.
 * @param html the printed document
 * @throws for files of other forms than Chromium's
 */
export async function accessiblePdf(printed: Uint8Array, html: string): Promise<Uint8Array<ArrayBuffer>> {
  const file = readPdf(printed);
  const catalog = file.dict(file.trailer.get("Root"));
  const root = file.dict(catalog.get("StructTreeRoot"));
  const structure = await readStructure(file, root);
  const boxes = await markPages(file, catalog, root, structure);

  const parents = parentsByKey(file, root);
  const parentsOf = (page: number) => parents.get(keyOf(file.dict(new Ref(page)))) ?? [];
  for (const item of structure.listItems) giveBody(file, item, parentsOf);
  for (const figure of structure.figures) placeFigure(file, figure, (page) => boxes.get(page) ?? NO_BOXES);
  nameLinks(file, structure.links, readLinkNames(html));
  if (structure.foreignTypes.size > 0) root.set("RoleMap", roleMap(structure.foreignTypes));
  describe(file, catalog);
  return file.write("1.7");
}

const NO_BOXES: Map<number, Box> = new Map();

/** @returns bounding boxes of figures, by page and id of marked content */
async function markPages(file: PdfObjects, catalog: Dict, root: Dict, { repetitions }: Structure): Promise<Map<number, Map<number, Box>>> {
  const parents = parentsByKey(file, root);
  const boxes = new Map<number, Map<number, Box>>();
  for (const page of pagesOf(file, catalog.get("Pages"))) {
    const entries = file.dict(page);
    const contents = entries.get("Contents");
    if (!(contents instanceof Ref)) throw new Error("a page of the PDF has no single content");
    const { content, decorations, figures } = markDecorations(file.stream(contents), (id) => repetitions.get(page.id)?.has(id) ?? false);
    file.setStream(contents, content);
    dropDecorations(file, page, decorations, parents.get(keyOf(entries)) ?? []);
    boxes.set(page.id, figures);
    await breathe();
  }
  return boxes;
}

const keyOf = (page: Dict) => Number(page.get("StructParents") ?? NaN);

function pagesOf(file: PdfObjects, node: PdfValue | undefined): Ref[] {
  if (!(node instanceof Ref)) throw new Error("the PDF has no tree of pages");
  const kids = file.resolve(file.dict(node).get("Kids"));
  return Array.isArray(kids) ? kids.flatMap((kid) => pagesOf(file, kid)) : [node];
}

/** Adds names to links: readers show them, and screen readers list links by them. */
function nameLinks(file: PdfObjects, links: Structure["links"], names: LinkNames): void {
  for (const { annotations } of links) {
    const [first] = annotations;
    if (!first) continue;
    const contents = textString(names.next(targetOf(file, first)));
    // A link over several lines or pages has one annotation for each part.
    for (const annotation of annotations) file.dict(annotation).set("Contents", contents);
  }
}

function targetOf(file: PdfObjects, annotation: Ref): string {
  const entries = file.dict(annotation);
  const action = file.resolve(entries.get("A"));
  const address = isDict(action) ? readText(action.get("URI")) : null;
  return address ?? `#${readName(entries.get("Dest"))}`;
}

const INLINE = new Set(["Strong", "Em"]);

/** Mapping of other types to those of PDF 1.7. */
const roleMap = (types: Set<string>): Dict => dict(Object.fromEntries([...types].map((type) => [type, INLINE.has(type) ? "/Span" : "/Div"])));

function describe(file: PdfObjects, catalog: Dict): void {
  const info = file.dict(file.trailer.get("Info"));
  const title = readText(info.get("Title"));
  const language = readText(catalog.get("Lang"));
  if (!title || !language) throw new Error("the PDF has no title or no language");
  const data = metadata({ title, language }, info);
  catalog.set("Metadata", file.add(metadataEntries(data), data));
}
