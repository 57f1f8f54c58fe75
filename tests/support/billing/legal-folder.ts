import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/** A data folder with the legal texts of an operator; the withdrawal text is only in German. */
export function legalFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "rampe-legal-"));
  const text = "## § 1 Geltung\n\nFür *alle* Käufe.\n\n### Absatz\n\n1. Eins\n2. [Impressum](/impressum)\n\n<b>Markup</b>\n";
  writeFileSync(path.join(folder, "terms.de.md"), `# AGB der Ada GmbH\n\n${text}`);
  writeFileSync(path.join(folder, "terms.en.md"), "# Terms of Ada GmbH\n\nFor all purchases.\n");
  writeFileSync(path.join(folder, "withdrawal.de.md"), text);
  return folder;
}
