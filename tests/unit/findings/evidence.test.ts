import { expect, test } from "vitest";
import { createEvidence, storePictures } from "~/findings/evidence.server";
import { createFindings } from "~/findings/finding.server";
import { addPage, finishPage } from "~/runs/page.server";
import type { ElementResult } from "~/scan/types";
import { freshDatabase } from "../../support/database/database";
import { checkedPage, element, ENGINES, finding } from "../../support/database/page-results";

async function setUp() {
  const db = await freshDatabase();
  let position = 0;

  async function addRun(id: string): Promise<string> {
    await db
      .insertInto("run")
      .values({
        ...{ id, owner: "me", url: "https://shop.example/", site: "shop.example", scope: "site" },
        ...{ standard_version: "2.2", standard_level: "AA", status: "running", created_at: 1, expires_at: 2 },
      })
      .execute();
    return id;
  }

  /** Stores a page of a run with these elements as violations of one rule; resolves with the page's id. */
  async function addChecked(runId: string, elements: ElementResult[]): Promise<number> {
    position += 1;
    const url = `https://shop.example/${position}`;
    const violations = [finding("image-alt", { elementCount: elements.length, elements })];
    const result = checkedPage({ url, findings: { violations, incomplete: [], passes: [], inapplicable: [] } });
    await db.transaction().execute(async (trx) => {
      await addPage(trx, { runId, position, url });
      await finishPage(trx, runId, result, ENGINES);
    });
    const { id } = await db.selectFrom("page").select("id").where("url", "=", url).executeTakeFirstOrThrow();
    return id;
  }

  const pictures = () => db.selectFrom("picture").selectAll().execute();
  return { db, addRun, addChecked, pictures, evidence: createEvidence({ db }), findings: createFindings({ db }) };
}

const at = (pageId: number, position = 0) =>
  ({ pageId, category: "violations", ruleId: "image-alt", position }) as const;
const picture = (text: string) => Buffer.from(text);
const textOf = (image: Uint8Array | undefined) => image && Buffer.from(image).toString();

test("an element has its context, and tells whether it has a picture, which is read separately", async () => {
  const { addRun, addChecked, evidence, findings } = await setUp();
  const context = { landmark: { role: "main", name: "" }, heading: "Offers", name: "Chair", role: "link" };
  const run = await addRun("one");
  const page = await addChecked(run, [element({ context, picture: picture("chair") }), element()]);
  const [image] = (await findings.ofPage(page, { elements: 9 })).violations;
  expect(image?.elements).toEqual([{ ...element(), context, hasPicture: true }, element()]);
  expect(textOf(await evidence.picture(run, at(page)))).toBe("chair");
  expect(await evidence.picture(run, at(page, 1))).toBeUndefined();
});

test("texts of a page are stored in a form that cannot change the report around them", async () => {
  const { addRun, addChecked, findings } = await setUp();
  const page = await addChecked(await addRun("one"), [
    element({ context: { heading: `\u202Egnp.exe${"x".repeat(500)}`, name: "\uD800" } }),
  ]);
  const [shown] = (await findings.ofPage(page, { elements: 1 })).violations[0]?.elements ?? [];
  expect(shown?.context?.heading).toMatch(/^⟨U\+202E⟩gnp\.exex+…$/);
  expect(shown?.context?.heading?.length).toBeLessThan(220);
  expect(shown?.context?.name).toBe("\uFFFD");
});

test("a picture can only be read with its own run", async () => {
  const { addRun, addChecked, evidence } = await setUp();
  const [mine, yours] = [await addRun("mine"), await addRun("yours")];
  const page = await addChecked(mine, [element({ picture: picture("mine") })]);
  expect(await evidence.picture(yours, at(page))).toBeUndefined();
  expect(await evidence.picture(mine, { ...at(page), ruleId: "label" })).toBeUndefined();
  expect(await evidence.picture(mine, { ...at(page), category: "incomplete" })).toBeUndefined();
});

test("equal pictures of a run are stored once, and deleted with it", async () => {
  const { db, addRun, addChecked, pictures, evidence } = await setUp();
  const [one, other] = [await addRun("one"), await addRun("other")];
  const pages = [
    await addChecked(one, [element({ picture: picture("header") }), element({ picture: picture("header") })]),
    await addChecked(one, [element({ picture: picture("header") })]),
  ];
  const kept = await addChecked(other, [element({ picture: picture("header") })]);
  expect(await pictures()).toHaveLength(2);
  for (const page of pages) expect(textOf(await evidence.picture(one, at(page)))).toBe("header");

  await db.deleteFrom("run").where("id", "=", one).execute();
  expect(await pictures()).toHaveLength(1);
  expect(textOf(await evidence.picture(other, at(kept)))).toBe("header");
});

test("the number of pictures per run is limited", async () => {
  const { db, addRun, pictures } = await setUp();
  const run = await addRun("one");
  const kept: number[] = [];
  for (const text of ["four", "more", "late"]) {
    const violations = [finding("image-alt", { elements: [element({ picture: picture(text) })] })];
    kept.push((await db.transaction().execute((trx) => storePictures(trx, run, violations, { mostBytes: 8 }))).pictures.size);
  }
  expect(kept).toEqual([1, 1, 0]);
  expect(await pictures()).toHaveLength(2);
});
