import { expect, it } from "vitest";
import { readSample } from "~/server/scans/sample.server";

it("the bundled sample report fits the database; if not, run: node scripts/sample.mjs", async () => {
  const { run, pages, pagePictures } = await readSample();
  expect(run).toMatchObject({ id: "sample", status: "succeeded", owner: null });
  expect(run.engines.map(({ name }) => name)).toEqual(["axe-core", "rampe"]);
  expect(await pages.ofRun(run.id)).not.toEqual([]);
  const { pageId = 0, marks = [] } = (await pagePictures.first(run.id)) ?? {};
  expect(marks.length).toBeGreaterThan(5);
  expect((await pagePictures.image(run.id, pageId))?.length).toBeGreaterThan(1_000);
});
