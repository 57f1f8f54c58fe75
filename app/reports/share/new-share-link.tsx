import { useTranslation } from "react-i18next";
import { Icon } from "~/ui/icon";

/** New link, to copy: it cannot be shown again later. @param pdf path of the PDF that contains the link */
export function NewShareLink({ link, pdf }: { link: string; pdf: string }) {
  const { t } = useTranslation("history");
  return (
    <section className="next-step created-link" aria-labelledby="created-link">
      <h2 id="created-link">
        <Icon name="check" /> {t("share.madeHeading")}
      </h2>
      <div className="field">
        <label htmlFor="link">{t("share.link")}</label>
        <p className="field-hint" id="link-hint">
          {t("share.onlyNow")}
        </p>
        <input id="link" type="text" value={link} readOnly aria-describedby="link-hint" onFocus={(event) => event.target.select()} />
      </div>
      <p>
        <a className="target" href={link}>
          {t("share.try")}
        </a>
      </p>
      <p>
        <a className="target" href={pdf}>
          {t("share.pdf")}
        </a>
      </p>
    </section>
  );
}
