import { createHash } from "node:crypto";
import type { ObjectKey, ObjectStore } from "~/platform/objects/object-store";
import { VERSION } from "~/platform/product-name.server";
import type { PdfFile } from "./printer.server";

/**
 * Finished PDFs in the object store, named after all that they are made of: the document that is printed, which loads nothing, and the
 * version of this program. Another review, language or logo makes another document; the old PDF is deleted after a week, or with its run.
 */
export function createKeptPdfs(objects: Pick<ObjectStore, "get" | "put">) {
  return { find, keep };

  /** Null also if the store does not answer. */
  function find(runId: string, document: string): Promise<PdfFile | null> {
    return objects.get(keyOf(runId, document)).catch(() => null);
  }

  /** Never fails: it can be printed again. */
  async function keep(runId: string, document: string, pdf: PdfFile): Promise<void> {
    await objects.put(keyOf(runId, document), pdf).catch(() => {});
  }
}

function keyOf(runId: string, document: string): ObjectKey {
  return `${runId}/${createHash("sha256").update(`${VERSION}\n${document}`).digest("base64url")}.pdf`;
}
