import type { Db } from "db/schema";
import type { ScanRequests } from "~/runs/scan-request.server";
import type { Logo } from "./logo.server";

/** Name, colour and logo of an account, shown on the cover of its reports instead of Rampe's. */
export interface ReportCover {
  name: string;
  /** "#rrggbb" */
  color: string;
  /** Data URL of the picture. */
  logo: string | null;
}

export interface ReportCoversOptions {
  db: Db;
  scanRequests: Pick<ScanRequests, "mayHaveOwnCover">;
}

export type ReportCovers = ReturnType<typeof createReportCovers>;

export function createReportCovers({ db, scanRequests }: ReportCoversOptions) {
  return { of, shownFor, save, remove };

  async function of(owner: string): Promise<ReportCover | null> {
    const row = await db.selectFrom("report_cover").selectAll().where("owner", "=", owner).executeTakeFirst();
    if (!row) return null;
    const { name, color, logo, logo_type: type } = row;
    return { name, color, logo: logo && type ? `data:${type};base64,${Buffer.from(logo).toString("base64")}` : null };
  }

  /** Cover, only while the plan of the account includes it. */
  async function shownFor(owner: string | null): Promise<ReportCover | null> {
    return owner !== null && (await scanRequests.mayHaveOwnCover(owner)) ? of(owner) : null;
  }

  /** @param logo null removes it, undefined keeps it */
  async function save(owner: string, { name, color }: Pick<ReportCover, "name" | "color">, logo: Logo | null | undefined): Promise<void> {
    const values = { name, color, ...(logo !== undefined && { logo: logo?.data ?? null, logo_type: logo?.type ?? null }) };
    await db
      .insertInto("report_cover")
      .values({ owner, logo: null, logo_type: null, ...values })
      .onConflict((conflict) => conflict.column("owner").doUpdateSet(values))
      .execute();
  }

  async function remove(owner: string): Promise<void> {
    await db.deleteFrom("report_cover").where("owner", "=", owner).execute();
  }
}
