import type { Locale } from "~/platform/i18n/i18n";
import { textFile, type TextFiles } from "~/platform/i18n/text-files.server";

interface Question {
  question: string;
  answer: string;
  link: { label: string; to: string } | null;
}

export type WelcomeTexts = Omit<TextFiles["welcome"], "questions"> & { questions: { heading: string; list: Question[] } };

/**
 * The longer texts of the home page. They are part of the page, not a separate file that scripts load.
 * @param selling plans are for sale
 */
export function welcomeTexts(locale: Locale, { selling }: { selling: boolean }): WelcomeTexts {
  const { questions, ...texts } = textFile(locale, "welcome");
  const list = questions.list
    .filter(({ when }) => when !== "selling" || selling)
    .map(({ question, answer, link }) => ({ question, answer, link: link ?? null }));
  return { ...texts, questions: { heading: questions.heading, list } };
}
