import { Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { AtAGlance } from "~/reports/check/at-a-glance";
import { RuleList } from "~/reports/check/rule-list";
import { Violation } from "~/reports/check/violation";
import { TrendPicture } from "~/monitoring/view/trend-picture";
import { Pricing } from "./home/pricing";
import { Questions } from "./home/questions";
import { Statistics } from "./home/statistics";
import { ImpactBadge } from "~/ui/impact-badge";
import { CriteriaTable } from "./law/criteria-table";
import { Timeline } from "./law/timeline";
import { ProposedFix } from "~/reports/view/rule/fix";
import { RunTable } from "~/runs/view/run-table";
import { CodeBlock } from "~/api/view/code-block";
import type { ElementView, ViolationView } from "~/findings/check-view";
import type { LawEvent } from "./law/law-pages";
import type { PlanOffer } from "~/billing/plans/offers";
import { RUN_STATUSES, type RunRow } from "~/runs/run-view";
import type { WelcomeTexts } from "./home/welcome.server";
import { BARRIERS } from "~/findings/rules/barriers";
import { DAY_MS } from "~/platform/durations";
import { ENGINE_OF, IMPACTS } from "~/scan/types";
import { Specimen } from "./specimen";

interface ResultsProps {
  offers: PlanOffer[];
  questions: WelcomeTexts["questions"];
  /** Unix time in ms. */
  now: number;
}

/** Components for reading: badges, tables, rules, code, plans, a timeline, empty lists. */
export function Results({ offers, questions, now }: ResultsProps) {
  const { t } = useTranslation(["common", "law", "runs", "report"]);
  const events: LawEvent[] = t("law:bfsg.timeline.events", { returnObjects: true });
  return (
    <>
      <Specimen of="impact-badge">
        <p className="error-ways">
          {[...IMPACTS, null].map((impact) => (
            <ImpactBadge key={impact} impact={impact} />
          ))}
        </p>
      </Specimen>
      <Specimen of="check/at-a-glance, check/impact-chart">
        <AtAGlance counts={{ violations: 7, incomplete: 2, passes: 41, inapplicable: 52 }} impacts={{ critical: 2, serious: 3, moderate: 1, minor: 1 }} />
      </Specimen>
      <Specimen of="check/violation, check/problem/places, check/element-code, check/fix-hints">
        <Violation {...VIOLATION} />
      </Specimen>
      <Specimen of="check/rule-list">
        <RuleList category="violations" rules={[VIOLATION]} />
        <RuleList rules={[{ ...VIOLATION, impact: "minor", elementCount: 1 }]} category="violations" locked />
      </Specimen>
      <Specimen of="report/fix">
        <ProposedFix
          fix={{
            kind: "markup",
            before: [{ text: '<html lang="', changed: false }, { text: "xx", changed: true }, { text: '">', changed: false }],
            after: [{ text: '<html lang="', changed: false }, { text: "de", changed: true }, { text: '">', changed: false }],
            notes: ["language"],
          }}
        />
      </Specimen>
      <Specimen of="runs/run-table, runs/run-state, .pager">
        <RunTable runs={RUN_STATUSES.map((status, index) => run(status, now - index * DAY_MS))} />
        <nav className="pager" aria-label={t("runs:list.pages")}>
          <Link to="/style">{t("runs:list.newest")}</Link>
          <Link to="/style">{t("runs:list.older")}</Link>
        </nav>
      </Specimen>
      <Specimen of=".empty-state">
        <div className="empty-state">
          <p>
            <strong>{t("report:category.empty")}</strong>
          </p>
          <p>{t("report:category.emptyHint")}</p>
        </div>
      </Specimen>
      <Specimen of=".progress-track, .progress-bar">
        <div className="progress-track" aria-hidden="true" />
        <svg className="progress-bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
          <rect className="progress-rest" width="100" height="4" />
          <rect className="progress-done" width="40" height="4" />
        </svg>
      </Specimen>
      <Specimen of="history/trend-picture">
        <TrendPicture points={[9, 6, 2].map((most, index) => point(index, most, now))} />
        <TrendPicture points={[]} />
      </Specimen>
      <Specimen of="law/criteria-table">
        <CriteriaTable />
      </Specimen>
      <Specimen of="law/timeline">
        <Timeline events={events} now={now} />
      </Specimen>
      <Specimen of="tokens/code-block">
        <CodeBlock code={"npm run scan -- https://example.com \\\n  --site --max-pages 50"} />
      </Specimen>
      <Pricing offers={offers} choice={{ plan: "", rhythm: "", url: "", check: "" }} wantedHost={null} mostPages={200} />
      <Statistics last30days={1_234} avgErrorsPerSite={17.25} />
      <Statistics last30days={0} avgErrorsPerSite={null} />
      <Questions texts={questions} />
    </>
  );
}

const element = (target: string): ElementView => ({
  target,
  html: `<img src="/${target}.jpg" width="640" height="480" class="teaser">`,
  htmlCut: target === "#d",
  fixes: [],
});

const VIOLATION: ViolationView = {
  ruleId: "image-alt",
  title: { text: "Images without a description", lang: "en" },
  impactOnPeople: { barrier: "images", people: BARRIERS.images },
  remedy: {
    todo: "Describe each image in a few words.",
    before: "The screen reader says: “image, IMG 4711”.",
    after: "The screen reader says: “image, gray armchair”.",
  },
  colors: null,
  impact: "critical",
  elementCount: 9,
  criteria: ["1.1.1"],
  places: [{ context: { role: "img", landmark: { role: "main", name: "" }, heading: "Offers" }, isWholePage: false, lang: "en", picture: null }],
  development: {
    description: { text: "Ensure <img> elements have alternative text or a role of none or presentation", lang: "en" },
    helpUrl: "/rules/image-alt",
    howToFix: null,
    elements: ["#a", "#b", "#c", "#d"].map((target) => ({ ...element(target), fix: null })),
  },
};

const run = (status: RunRow["status"], createdAt: number): RunRow => ({
  id: `${status}-example`,
  url: `https://www.example.org/${status}`,
  reached: null,
  scope: "site",
  standard: "WCAG 2.2 AA",
  status,
  reason: status === "failed" ? "dns" : null,
  createdAt,
  pages: status === "queued" ? 0 : 8,
  failedPages: { queued: 0, failed: 8, running: 1, succeeded: 1, canceled: 1 }[status],
  isWhole: false,
  knownPages: 12,
  violatedRules: 7,
  elements: 31,
  accepted: 2,
});

const point = (index: number, most: number, now: number) => ({
  isAdvanced: false,
  id: String(index),
  createdAt: now - (3 - index) * DAY_MS,
  status: "succeeded" as const,
  standard: "WCAG 2.2 AA",
  engine: ENGINE_OF.axe,
  pages: 8,
  failedPages: 0,
  violatedRules: 4,
  elements: { critical: most, serious: most * 2, moderate: 3, minor: 1 },
  total: most * 3 + 4,
  accepted: 0,
  acceptedUnknown: false,
});
