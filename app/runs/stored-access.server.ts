import type { SealedColumn } from "~/platform/crypto/sealed-column.server";
import type { SecretBox } from "~/platform/crypto/secret-box.server";
import type { Access } from "~/scan/types";

const PURPOSE = "run access";

/** Encrypts the access data of a site that is not public. */
export type AccessBox = Pick<SecretBox, "seal" | "open">;

export const sealAccess = (box: AccessBox, access: Access): string => box.seal(JSON.stringify(access), PURPOSE);

export const RUN_ACCESS: SealedColumn = { table: "run", column: "access", key: "id", purposeOf: () => PURPOSE };

/** Decrypted access data; undefined if the encryption key is lost. */
export function openAccess(box: AccessBox, sealed: string): Access | undefined {
  const text = box.open(sealed, PURPOSE);
  return text === null ? undefined : (JSON.parse(text) as Access);
}
