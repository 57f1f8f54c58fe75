import type { Selectable } from "kysely";
import type { Database, Db } from "db/schema";
import { createEvidence, type Evidence } from "~/findings/evidence.server";
import { createPagePictures, type PagePictures } from "~/findings/page-picture.server";
import { createPages, type Pages } from "~/runs/page.server";
import { createReports, type Reports } from "~/reports/report.server";
import type { Run } from "~/runs/run";
import { toRun } from "~/runs/run-row.server";

/** Id in place of the run's id. */
const SAMPLE = "sample";

type Rows<Table extends keyof Database> = Selectable<Database[Table]>[];

/** All database rows of a run, in a form for JSON. */
export interface StoredSample {
  /** Run without the computed column of the database. */
  run: Omit<Selectable<Database["run"]>, "origin">;
  page: Rows<"page">;
  rule: Rows<"rule">;
  finding: Rows<"finding">;
  element: Rows<"element">;
  /** `image` in Base64. */
  picture: (Omit<Rows<"picture">[number], "image"> & { image: string })[];
  /** Picture of the first page that has one. */
  page_picture: Rows<"page_picture">;
}

/** A public report, and the sources of its parts. */
export interface Sample {
  run: Run;
  pages: Pages;
  reports: Reports;
  evidence: Evidence;
  pagePictures: PagePictures;
}

/** Inserts a sample into an empty database, so that it is read like every other report. */
export async function openSample(db: Db, { run, page, rule, finding, element, picture, page_picture: pagePicture }: StoredSample): Promise<Sample> {
  const stored = await db.transaction().execute(async (trx) => {
    await trx.insertInto("run").values(run).execute();
    await trx.insertInto("page").values(page).execute();
    await trx.insertInto("rule").values(rule).execute();
    await trx.insertInto("finding").values(finding).execute();
    await trx.insertInto("stored_element").values(element).execute();
    const images = picture.map((row) => ({ ...row, image: Buffer.from(row.image, "base64") }));
    if (images.length > 0) await trx.insertInto("picture").values(images).execute();
    if (pagePicture.length > 0) await trx.insertInto("page_picture").values(pagePicture).execute();
    return trx.selectFrom("run").selectAll().executeTakeFirstOrThrow();
  });
  return { run: toRun(stored), pages: createPages({ db }), reports: createReports({ db }), evidence: createEvidence({ db }), pagePictures: createPagePictures({ db }) };
}

/** Reads the only run of a database. */
export async function storedSample(db: Db): Promise<StoredSample> {
  const firstPicture = db.selectFrom("page_picture").innerJoin("page", "page.id", "page_picture.page_id").selectAll("page_picture").orderBy("page.position").limit(1);
  const [run, page, rule, finding, element, pagePicture] = await Promise.all([
    db.selectFrom("run").selectAll().executeTakeFirstOrThrow(),
    db.selectFrom("page").selectAll().orderBy("position").execute(),
    db.selectFrom("rule").selectAll().orderBy("id").execute(),
    db.selectFrom("finding").selectAll().orderBy("page_id").orderBy("category").orderBy("rule_id").execute(),
    db.selectFrom("element").selectAll().orderBy("page_id").orderBy("category").orderBy("rule_id").orderBy("position").execute(),
    firstPicture.execute(),
  ]);
  const { origin: _computed, ...stored } = run;
  // Pictures of walks are not part of a sample.
  const shown = [...element.flatMap(({ picture }) => picture ?? []), ...pagePicture.map(({ picture }) => picture)];
  const picture = await db.selectFrom("picture").selectAll().where("hash", "in", shown).orderBy("hash").execute();
  return {
    run: { ...stored, id: SAMPLE, owner: null },
    page: page.map((row) => ({ ...row, run_id: SAMPLE })),
    rule,
    finding,
    element,
    picture: picture.map(({ hash, image }) => ({ run_id: SAMPLE, hash, image: Buffer.from(image).toString("base64") })),
    page_picture: pagePicture,
  };
}
