import { formatCalendarDate } from "~/platform/i18n/calendar-date";
import { textsOf } from "~/platform/i18n/i18n.server";
import type { StatementAnswers, StatementDocument, StatementFacts, StatementSection, StatementState } from "./document";
import { TIME_ZONE } from "~/platform/i18n/time-zone";

/** Order of the sections. */
const STATES = ["failed", "review", "judged", "by_hand", "unfinished", "nothing_found", "not_tested"] as const satisfies StatementState[];
const GAPS = ["incomplete", "onlyOne", "levelAA", "partial", "notLoaded", "concealed", "frames"] as const;
/**
 * Draft of the information on a service that the law requires (BFSG, annex 3; Directive (EU) 2019/882, annex V). About the
 * fulfilment of the requirements, it describes only the tests and their limits.
 */
export function statementOf(answers: StatementAnswers, facts: StatementFacts): StatementDocument {
  const { language: lang } = answers;
  const t = textsOf(lang).getFixedT(null, "statement", "draft");
  const dayOf = (at: number) => new Intl.DateTimeFormat(lang, { dateStyle: "long", timeZone: TIME_ZONE }).format(at);
  const day = dayOf(facts.checkedAt);
  const { service, operator, description, use, exceptions, contact, authority } = answers;
  const { url, engine, standard, pages, failedPages, gaps } = facts;

  const section = (heading: string, paragraphs: string[], list: string[] = []): StatementSection => ({ heading, paragraphs, list });
  const notTested = [
    ...(failedPages > 0 ? [t("tested.failed", { count: failedPages })] : []),
    ...GAPS.filter((gap) => gaps[gap]).map((gap) => t(`tested.${gap}`)),
    t(facts.inUse ? "tested.alwaysInUse" : "tested.always"),
  ];
  const lineOf = ({ name, beyond, applies, rules }: StatementFacts["criteria"][number]) => {
    const named = beyond ? t("beyond", { criterion: name }) : name;
    const criterion = applies ? named : t("by_hand.notApplicable", { criterion: named });
    return rules.length > 0 ? `${criterion}: ${rules.join("; ")}` : criterion;
  };
  const criteria = (state: StatementState) => facts.criteria.filter((criterion) => criterion.state === state).map(lineOf);
  const byState = STATES.flatMap((state) => {
    const lines = criteria(state);
    if (lines.length > 0) return [section(t(`${state}.heading`), [t(`${state}.text`)], lines)];
    return state === "failed" ? [section(t("failed.heading"), [t(facts.hasJudgedViolations ? "failed.noneLeft" : "failed.none")])] : [];
  });

  const excepted = facts.exceptions.map(({ kind, rule, elements, lastDay, reason }) =>
    t(`exceptions.${kind}`, { rule, reason, places: elements === null ? t("exceptions.placesUnknown") : t("exceptions.places", { count: elements }), day: lastDay === null ? "" : formatCalendarDate(lastDay, lang) }),
  );

  const exceptionNotes = [
    ...(excepted.length > 0 ? [t("exceptions.note")] : []),
    ...(facts.exceptions.some(({ elements }) => elements === null) ? [t("exceptions.unknownNote")] : []),
  ];

  return {
    lang,
    title: t("title", { service }),
    note: t("note"),
    sections: [
      section(t("provider.heading"), [t("provider.text", { service, url }), t("provider.operator", { operator }), description]),
      section(t("use.heading"), [use || t("use.missing")]),
      section(t("requirements.heading"), [t("requirements.law"), t("requirements.standard")]),
      section(
        t("tested.heading"),
        [
          t("tested.text", { count: pages, day, url, engine, standard }),
          ...(facts.byHand ? [t("tested.byHand", { count: facts.byHand.count, day: dayOf(facts.byHand.lastAt) })] : []),
          t("tested.limits"),
          t("tested.gaps"),
        ],
        notTested,
      ),
      ...byState,
      ...(exceptions || excepted.length > 0 ? [section(t("exceptions.heading"), [...(exceptions ? [exceptions] : []), ...exceptionNotes], excepted)] : []),
      section(t("contact.heading"), [t("contact.text"), contact]),
      section(t("authority.heading"), [authority || t("authority.default")]),
      section(t("date.heading"), [t("date.text", { date: formatCalendarDate(answers.date, lang), day })]),
    ],
  };
}
