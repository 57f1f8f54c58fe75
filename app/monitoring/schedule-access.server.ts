import type { Selectable } from "kysely";
import type { Db } from "db/schema";
import type { ScheduleTable } from "db/tables/monitoring";
import type { SealedColumn } from "~/platform/crypto/sealed-column.server";
import type { SecretBox } from "~/platform/crypto/secret-box.server";
import type { Run } from "~/runs/run";
import type { Access } from "~/scan/types";

const PURPOSE = "schedule access";

export const SCHEDULE_ACCESS: SealedColumn = { table: "schedule", column: "access", key: "id", purposeOf: () => PURPOSE };

export interface StoredAccessOptions {
  db: Db;
  box: Pick<SecretBox, "seal" | "open">;
}

/** Credentials for sites that are not public, stored encrypted with schedules. */
export function createStoredAccess({ db, box }: StoredAccessOptions) {
  return { of, open, seal };

  /** Credentials for runs of the same URL and scope; null if none are stored, undefined if they can no longer be decrypted. */
  async function of(owner: string, { url, scope }: Pick<Run, "url" | "scope">): Promise<Access | null | undefined> {
    const row = await db
      .selectFrom("schedule")
      .select("access")
      .where("owner", "=", owner)
      .where("url", "=", url)
      .where("scope", "=", scope)
      .executeTakeFirst();
    return row ? open(row) : null;
  }

  /** Decrypted credentials; undefined if the encryption key is lost. */
  function open({ access }: Pick<Selectable<ScheduleTable>, "access">): Access | null | undefined {
    if (access === null) return null;
    const text = box.open(access, PURPOSE);
    return text === null ? undefined : (JSON.parse(text) as Access);
  }

  function seal(access: Access | null): string | null {
    return access && box.seal(JSON.stringify(access), PURPOSE);
  }
}
