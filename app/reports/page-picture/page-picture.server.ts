import { displayAddress } from "~/findings/finding-views.server";
import { locationView } from "~/reports/element-locations.server";
import type { OpenReport } from "~/reports/page.server";
import { violationKey } from "~/reports/report-elements.server";
import { rulePath } from "~/reports/report-view";
import { isLocked, ruleRow } from "~/reports/rule-rows.server";
import type { PagePictureView } from "./view";

/** Maximum number of marks: more would cover the picture. */
const MOST_MARKS = 20;

/** Picture of a run's first page, with the elements of the most important rules first; null if none is stored. */
export async function pagePictureView(report: OpenReport): Promise<PagePictureView | null> {
  const { run, base, rules, locale, withheld } = report;
  const { reports, pagePictures } = report.readers;
  const picture = await pagePictures.first(run.id);
  const page = picture && (await reports.page(run.id, picture.pageId));
  if (!picture || !page) return null;
  const violations = rules.filter((rule) => rule.category === "violations" && !isLocked(rule, withheld));
  const marked = violations.flatMap((rule) => picture.marks.filter(({ ruleId }) => ruleId === rule.ruleId).map((mark) => ({ ...mark, rule })));
  const open = await reports.openViolationsAt(run.id, page.id, marked);
  const marks = marked
    .flatMap(({ rule, ruleId, position, box }): PagePictureView["marks"] => {
      const location = open.get(violationKey({ ruleId, position }));
      if (!location) return [];
      const { context, isWholePage, lang } = locationView(location, locale, { category: "violations", ruleId, of: rules });
      return [{ box, title: ruleRow(rule, locale, withheld).title, number: position + 1, to: `${rulePath(base, rule)}/${page.id}/${position}`, place: { context, isWholePage, lang } }];
    })
    .slice(0, MOST_MARKS);
  const ofPage = await reports.rules(run.id, { pageId: page.id });
  const elements = ofPage.reduce((sum, rule) => (rule.category === "violations" ? sum + rule.elements : sum), 0);
  return {
    pageId: page.id,
    src: `${base}/pages/${page.id}/picture`,
    host: displayAddress(page.url),
    width: picture.width,
    height: picture.height,
    marks,
    unmarked: Math.max(0, elements - marks.length),
  };
}
