import { createHash } from "node:crypto";
import type { ObjectKey, ObjectStore } from "~/platform/objects/object-store";
import { VERSION } from "~/platform/product-name.server";
import type { PdfFile } from "./printer.server";

/**
 * Finished PDFs in the object store. The key is a hash of the document and the program's version, so that a changed report gets a new
 * PDF. Deleted after a week, or with the run.
 */
export function createKeptPdfs(objects: Pick<ObjectStore, "get" | "put">) {
  return { find, keep };

  /** PDF of a document; null also if the store does not answer. */
  function find(runId: string, document: string): Promise<PdfFile | null> {
    return objects.get(keyOf(runId, document)).catch(() => null);
  }

  /** Stores a PDF. Never rejects: it can be printed again. */
  async function keep(runId: string, document: string, pdf: PdfFile): Promise<void> {
    await objects.put(keyOf(runId, document), pdf).catch(() => {});
  }
}

function keyOf(runId: string, document: string): ObjectKey {
  return `${runId}/${createHash("sha256").update(`${VERSION}\n${document}`).digest("base64url")}.pdf`;
}
