import type { ElementView, LocalText, PlaceView } from "~/findings/check-view";
import { contextParts } from "~/findings/element-context-words";
import { formatRatio, textOf, type Fix } from "~/findings/fixes/fix";
import type { Locale } from "~/platform/i18n/i18n";
import { textsOf } from "~/platform/i18n/i18n.server";
import { TIME_ZONE } from "~/platform/i18n/time-zone";
import type { Impact } from "~/scan/types";

interface Issue {
  problem: LocalText;
  impact: Impact | null;
  /** Numbers and names, such as `1.1.1 Nicht-Text-Inhalt`. */
  criteria: string[];
  ruleId: string;
  /** Task in plain words. */
  todo: string;
  element: ElementView;
  /** Proposed fix, as on the page. */
  fix: Fix | null;
  place: Pick<PlaceView, "context" | "isWholePage">;
  pageUrl: string;
  /** Address of the element in the report; null if the reader of the text has no access to it. */
  reportUrl: string | null;
  /** Unix time in ms. */
  foundAt: number;
}

/** Text of a ticket about an element, in Markdown. Text of the page is in code spans, so that it cannot be markup or a mention. */
export function issueText(issue: Issue, locale: Locale): string {
  const t = textsOf(locale).getFixedT(null, "report");
  const shared = textsOf(locale).getFixedT(null, ["check", "common"]);
  const { problem, impact, criteria, ruleId, todo, element, fix, pageUrl, reportUrl, foundAt } = issue;
  const { pathname, search } = new URL(pageUrl);
  const facts: [name: string, value: string][] = [
    [t("issue.page"), code(pageUrl)],
    [t("issue.place"), placeText()],
    [t("issue.selector"), code(element.target)],
    ...(criteria.length > 0 ? [[t("issue.criteria"), criteria.map((criterion) => `WCAG ${criterion}`).join(", ")] as [string, string]] : []),
    ...(impact ? [[t("issue.impact"), shared(`common:impact.${impact}`)] as [string, string]] : []),
    [t("issue.rule"), code(ruleId)],
    ...(reportUrl === null ? [] : [[t("issue.report"), `<${reportUrl}>`] as [string, string]]),
  ];
  const found = new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: TIME_ZONE }).format(foundAt);
  return [
    `# ${t("issue.title", { problem: problem.text, page: code(`${pathname}${search}`) })}`,
    facts.filter(([, value]) => value !== "").map(([name, value]) => `- ${name}: ${value}`).join("\n"),
    `## ${t("issue.todo")}`,
    todo,
    ...element.fixes.map(({ heading, items }) => `${heading}\n\n${items.map(({ text }) => `- ${code(text)}`).join("\n")}`),
    ...(fix ? [proposal(fix)] : []),
    `## ${t("issue.code")}${element.htmlCut ? ` (${t("issue.cut")})` : ""}`,
    block(element.html),
    t("issue.found", { day: found }),
  ].join("\n\n");

  function proposal(proposed: Fix): string {
    const words = textsOf(locale).getFixedT(null, "fixes");
    if (proposed.kind === "markup") return `${words("label.after")}:\n\n${block(textOf(proposed.after))}`;
    const { foreground, background, newForeground, newBackground } = proposed;
    const pairs = [
      newForeground && { caption: words("colors.newForeground"), text: newForeground.color, on: background, ratio: newForeground.ratio },
      newBackground && { caption: words("colors.newBackground"), text: foreground, on: newBackground.color, ratio: newBackground.ratio },
    ];
    const contrast = (ratio: number) => `${words("colors.contrast")} ${words("colors.ratio", { ratio: formatRatio(ratio, locale) })}`;
    return pairs
      .flatMap((pair) => (pair ? [`- ${pair.caption}: ${words("colors.foreground")} ${code(pair.text)}, ${words("colors.background")} ${code(pair.on)}, ${contrast(pair.ratio)}`] : []))
      .join("\n");
  }

  function placeText(): string {
    const { context, isWholePage } = issue.place;
    if (isWholePage) return shared("check:place.whole");
    const parts = context ? contextParts(context) : [];
    return parts.map(({ words, name }) => [words && shared(words), name && code(name)].filter(Boolean).join(" ")).join(", ");
  }
}

/** Code span; its fence is longer than any row of backticks in the text. */
function code(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  if (line === "") return "";
  const fence = fenceFor(line, 1);
  const space = line.startsWith("`") || line.endsWith("`") ? " " : "";
  return `${fence}${space}${line}${space}${fence}`;
}

function block(text: string): string {
  const fence = fenceFor(text, 3);
  return `${fence}html\n${text}\n${fence}`;
}

function fenceFor(text: string, least: number): string {
  const rows = text.match(/`+/g) ?? [];
  return "`".repeat(Math.max(least, ...rows.map((row) => row.length + 1)));
}
