import { useTranslation } from "react-i18next";
import { languageName } from "~/platform/i18n/language-name";
import { Icon } from "~/ui/icon";

interface Resource {
  label: string;
  href: string;
  /** Language of the linked page. */
  lang: string;
}

/** Links to external texts; the labels are in the page's language and name the language of a text in another one. */
export function ResourceList({ links }: { links: Resource[] }) {
  const { t, i18n } = useTranslation("law");
  return (
    <ul className="link-list">
      {links.map(({ label, href, lang }) => (
        <li key={href}>
          <a href={href} hrefLang={lang}>
            {label}
            {lang !== i18n.language && ` (${t("inLanguage", { language: languageName(lang, i18n.language) })})`}
            <Icon name="external" size={16} />
          </a>
        </li>
      ))}
    </ul>
  );
}
