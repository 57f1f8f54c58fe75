import { useTranslation } from "react-i18next";
import type { LocalText } from "~/findings/check-view";

/** A text that may be in another language than the page; `lang` tells assistive technology. */
export function LocalizedText({ text, lang }: LocalText) {
  const { i18n } = useTranslation();
  return lang === i18n.language || lang === "" ? <>{text}</> : <span lang={lang}>{text}</span>;
}
