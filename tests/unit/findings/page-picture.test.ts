import { beforeEach, expect, test } from "vitest";
import type { Db } from "db/schema";
import { createAcceptances } from "~/findings/acceptance/acceptances.server";
import { createEvidenceQuota } from "~/findings/evidence-quota.server";
import { createPagePictures } from "~/findings/page-picture.server";
import * as overview from "~/routes/report/overview";
import * as numbered from "~/routes/report/pictures/page-numbered";
import type { CheckedPage, ElementResult } from "~/scan/types";
import { freshDatabase } from "../../support/database/database";
import { addUsers, finishedRun } from "../../support/database/finished-runs";
import { checkedPage, element, finding } from "../../support/database/page-results";
import { sharedContext, sharedReport } from "../../support/reports/shared-report";

const SHOP = "https://shop.example/";
const box = { x: 10, y: 20, width: 30, height: 40 };
const picture = { image: Buffer.from("drawn"), width: 1280, height: 900 };

let db: Db;
beforeEach(async () => {
  db = await freshDatabase();
});

function page(elements: ElementResult[], more: Partial<CheckedPage> = {}): CheckedPage {
  const images = finding("image-alt", { impact: "critical", elementCount: elements.length + 4, elements });
  const label = finding("label", { impact: "critical", elementCount: 1, elements: [element({ box })] });
  return checkedPage({ url: SHOP, picture, findings: { violations: [images, label], incomplete: [], passes: [], inapplicable: [] }, ...more });
}

const place = { context: { role: "img", name: "Logo", heading: "Angebote" } };

test("a picture is read with its own run alone, with its places by rule and number", async () => {
  const run = await finishedRun(db, [page([element(), element({ box })]), checkedPage({ url: `${SHOP}two` })]);
  const pictures = createPagePictures({ db });
  const first = await pictures.first(run.id);
  expect(first).toMatchObject({ width: 1280, height: 900, marks: [{ ruleId: "image-alt", position: 1, box }, { ruleId: "label", position: 0, box }] });
  expect(Buffer.from((await pictures.image(run.id, first?.pageId ?? 0)) ?? []).toString()).toBe("drawn");
  expect(await pictures.first("other")).toBeUndefined();
  expect(await pictures.image("other", first?.pageId ?? 0)).toBeUndefined();
});

test("what comes back from a page is limited", async () => {
  const wild = { x: -5, y: NaN, width: Infinity, height: 1.6 };
  const run = await finishedRun(db, [page(Array.from({ length: 500 }, () => element({ box: wild })), { picture: { ...picture, width: 1e9, height: -1 } })]);
  const first = await createPagePictures({ db }).first(run.id);
  expect([first?.width, first?.height, first?.marks.length]).toEqual([20_000, 0, 100]);
  expect(first?.marks[0]?.box).toEqual({ x: 0, y: 0, width: 20_000, height: 2 });
});

test("it counts as evidence, and goes with the other pictures", async () => {
  const run = await finishedRun(db, [page([element({ box })], { picture: { ...picture, image: Buffer.alloc(300_000, "x") } })]);
  const bytes = async () => (await db.selectFrom("run").select("evidence_bytes").executeTakeFirstOrThrow()).evidence_bytes;
  const before = await bytes();
  expect(before).toBeGreaterThan(300_000);
  await db.updateTable("run").set({ evidence_bytes: -1 }).execute();
  await createEvidenceQuota({ db, maxBytes: 1e9 }).enforce();
  expect(await bytes()).toBe(before);
  await createEvidenceQuota({ db, maxBytes: 100_000 }).enforce();
  expect(await createPagePictures({ db }).first(run.id)).toBeUndefined();
});

test("the overview says the marked places in words, and how many have no mark", async () => {
  const run = await finishedRun(db, [page([element({ box, ...place })])]);
  const text = await sharedReport(db, run, overview, { locale: "de" });
  expect(text).toContain("Wo die Probleme sind");
  expect(text).toMatch(/Bilder ohne Beschreibung\s*, Stelle 1\s+Bild\s+Logo\s*,\s*unter der Überschrift\s+Angebote/);
  expect(text).toContain("4 weitere Stellen dieser Seite sind nicht markiert");
});

test("places of rules that the reader's plan does not include are not marked", async () => {
  const run = await finishedRun(db, [page([element({ box, ...place })])]);
  const text = await sharedReport(db, run, overview, { locale: "de", withheld: new Set(["image-alt"]) });
  expect(text).toContain("Wo die Probleme sind");
  expect(text).not.toContain("Logo");
});

test("accepted places are not marked, nor counted as unmarked", async () => {
  const kept = element({ ...{ target: ["#kept"], html: '<img id="kept">', box }, context: { role: "img", name: "Banner" } });
  const gone = element({ ...{ target: ["#logo"], html: '<img id="logo">', box }, ...place });
  await addUsers(db, "ada");
  const run = await finishedRun(db, [page([gone, kept])], { owner: "ada" });
  const rule = { source: "axe", ruleId: "image-alt" } as const;
  await createAcceptances({ db }).accept("ada", run, { scope: "element", rule, element: { ...gone, pageUrl: SHOP } }, { kind: "not_a_barrier", lastDay: null, reason: "Decoration" });
  const text = await sharedReport(db, run, overview, { locale: "de" });
  expect(text).toContain("Banner");
  expect(text).not.toContain("Logo");
  expect(text).toContain("4 weitere Stellen dieser Seite sind nicht markiert");
});

test.each([
  ["as such", "element", 1],
  ["with all that look like it", "component", 2],
  ["as a rule", "rule", 2],
] as const)("places accepted %s are not marked", async (_how, scope, accepted) => {
  const twin = (id: string) => element({ target: [`#${id}`], html: '<img class="logo">', box });
  const run = await finishedRun(db, [page([twin("one"), twin("two")])], { owner: "ada" });
  await addUsers(db, "ada");
  const about = scope === "rule" ? null : { ...twin("one"), pageUrl: SHOP };
  await createAcceptances({ db }).accept("ada", run, { scope, rule: { source: "axe", ruleId: "image-alt" }, element: about }, { kind: "not_a_barrier", lastDay: null, reason: "Decoration" });
  const pageId = (await createPagePictures({ db }).first(run.id))?.pageId ?? 0;
  const svg = await (await numbered.loader(sharedContext(db, run, { params: { page: String(pageId) } }))).text();
  expect(svg.match(/<circle/g)).toHaveLength(3 - accepted);
});

test("any number of marks takes the same number of queries", async () => {
  const queriesWith = async (marks: number) => {
    let queries = 0;
    const counting = db.withPlugin({
      transformQuery({ node }) {
        queries += 1;
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    const elements = Array.from({ length: marks }, (_, index) => element({ target: [`#i${index}`], html: `<img id="i${index}">`, box }));
    const run = await finishedRun(db, [page(elements)]);
    await sharedReport(counting, run, overview);
    return queries;
  };
  expect(await queriesWith(15)).toBe(await queriesWith(1));
});

test("a run without a picture says nothing about one", async () => {
  const run = await finishedRun(db, [page([element({ box })], { picture: undefined })]);
  expect(await sharedReport(db, run, overview, { locale: "de" })).not.toContain("Wo die Probleme sind");
});

test("the numbered picture opens as a document of its own, with the same marks, for its page alone", async () => {
  const run = await finishedRun(db, [page([element({ box, ...place })])]);
  const pageId = (await createPagePictures({ db }).first(run.id))?.pageId ?? 0;
  const open = (of: number, withheld?: ReadonlySet<string>) => numbered.loader(sharedContext(db, run, { locale: "de", params: { page: String(of) }, withheld }));
  const answer = await open(pageId);
  expect(answer.headers.get("Content-Type")).toBe("image/svg+xml; charset=utf-8");
  const svg = await answer.text();
  expect(svg).toContain(`href="data:image/webp;base64,${Buffer.from("drawn").toString("base64")}"`);
  expect(svg).toContain("Bild der Seite mit 2 Markierungen");
  expect(svg.match(/<circle/g)).toHaveLength(2);
  expect((await (await open(pageId, new Set(["image-alt"]))).text()).match(/<circle/g)).toHaveLength(1);
  await expect(open(pageId + 1)).rejects.toMatchObject({ init: { status: 404 } });
});
