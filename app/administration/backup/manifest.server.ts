import { z } from "zod";
import { BackupProblem } from "./backup-problem";

const FORMAT = 1;

/** Relative path below the data folder, with `/`, never outside of it. */
const path = z.string().regex(/^[^\0\\]+$/).refine((value) => value.split("/").every((part) => !["", ".", ".."].includes(part)));

const schema = z.object({
  format: z.literal(FORMAT),
  /** Version of the product that made the archive. */
  version: z.string(),
  /** Last migration of its database. */
  migration: z.string(),
  createdAt: z.iso.datetime(),
  /** Path of the main database. */
  database: path,
  /** `configuration`: the secret is in `SESSION_SECRET`, not in the archive. */
  secret: z.enum(["file", "configuration"]),
  files: z.array(z.object({ path, bytes: z.int().min(0), sha256: z.string().regex(/^[0-9a-f]{64}$/) })),
});

/** First entry of an archive: its contents. */
export type Manifest = z.output<typeof schema>;

export function writeManifest(manifest: Omit<Manifest, "format">): string {
  return `${JSON.stringify({ format: FORMAT, ...manifest }, null, 2)}\n`;
}

/** @throws {BackupProblem} */
export function readManifest(text: string): Manifest {
  const damaged = new BackupProblem("The archive has no readable list of its files: it is damaged, or no archive of Rampe.");
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    throw damaged;
  }
  const { format } = (content ?? {}) as { format?: unknown };
  if (typeof format === "number" && format > FORMAT) {
    throw new BackupProblem("The archive was made by a newer version of Rampe: restore it with that version.");
  }
  const { data: manifest, success } = schema.safeParse(content);
  if (!success) throw damaged;
  const paths = manifest.files.map((file) => file.path);
  if (new Set(paths).size !== paths.length || !paths.includes(manifest.database)) throw damaged;
  return manifest;
}
