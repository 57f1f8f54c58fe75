import { Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { isPlainClick } from "~/ui/dialog/use-form-dialog";

interface RegisteredWebsitesProps {
  /** Addresses in the order of registration. */
  websites: string[];
  /** Id of the address field. */
  field: string;
}

/** Maximum length of an open list: longer ones are collapsed, so that the form stays visible. */
const MOST_SHOWN = 6;

/** Websites covered by a plan. Each is a link that puts its address into the form; without scripts, the link loads the filled form. */
export function RegisteredWebsites({ websites, field }: RegisteredWebsitesProps) {
  const { t } = useTranslation("runs");
  if (websites.length === 0) return null;
  const list = (
    <ul className="website-list">
      {websites.map((url) => (
        <li key={url}>
          <Link
            className="target"
            to={`/runs/new?url=${encodeURIComponent(url)}`}
            onClick={(event) => {
              if (isPlainClick(event) && fillIn(field, url)) event.preventDefault();
            }}
          >
            {inShort(url)}
          </Link>
        </li>
      ))}
    </ul>
  );
  if (websites.length > MOST_SHOWN) {
    return (
      <details className="websites more">
        <summary>{t("new.websitesFolded", { count: websites.length })}</summary>
        {list}
      </details>
    );
  }
  return (
    <div className="websites" role="group" aria-labelledby="websites">
      <p id="websites">{t("new.websites")}</p>
      {list}
    </div>
  );
}

/** Fills in the address and keeps the other typed values. */
function fillIn(field: string, url: string): boolean {
  const input = document.getElementById(field);
  if (!(input instanceof HTMLInputElement)) return false;
  input.value = url;
  input.focus();
  return true;
}

function inShort(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol === "https:" ? "" : "http://"}${host}${pathname === "/" ? "" : pathname}`;
}
