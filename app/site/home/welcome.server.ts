import german from "locales/de/welcome.json";
import english from "locales/en/welcome.json";
import type { Locale } from "~/platform/i18n/i18n";

const TEXTS = { de: german, en: english };

interface Question {
  question: string;
  answer: string;
  link: { label: string; to: string } | null;
}

export type WelcomeTexts = Omit<typeof english, "questions"> & { questions: { heading: string; list: Question[] } };

/**
 * The longer texts of the home page. They are part of the page, not a separate file that scripts load.
 * @param selling plans are for sale
 */
export function welcomeTexts(locale: Locale, { selling }: { selling: boolean }): WelcomeTexts {
  const { questions, ...texts } = TEXTS[locale];
  const list = questions.list
    .filter(({ when }) => when !== "selling" || selling)
    .map(({ question, answer, link }) => ({ question, answer, link: link ?? null }));
  return { ...texts, questions: { heading: questions.heading, list } };
}
