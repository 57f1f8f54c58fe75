import { useTranslation } from "react-i18next";
import { DialogLink } from "~/ui/dialog/dialog-link";
import { LocalTime } from "~/ui/local-time";
import type { WebsiteSlotsView } from "~/billing/websites/website-slots";
import { RemoveWebsite } from "./remove-website";

/** Websites of one purchase, and the number of free slots. */
export function WebsiteSlots({ id, planName, kind, used, limit, endsAt, websites }: WebsiteSlotsView) {
  const { t } = useTranslation("billing");
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{t(`urls.plan.${kind}`, { plan: planName })}</h2>
      {endsAt !== null && (
        <p>
          {t("urls.until")} <LocalTime at={endsAt} dateOnly />
        </p>
      )}
      <p>{limit === null ? t("urls.placesUnlimited", { used }) : t("urls.places", { count: limit, used, limit, free: Math.max(0, limit - used) })}</p>
      {websites.length > 0 && (
        <ul className="session-list">
          {websites.map((website) => (
            <li key={website.id}>
              <div>
                <strong className="breakable">{website.origin}</strong>
                {!website.covered && <p className="hint">{t("urls.uncovered")}</p>}
              </div>
              {kind === "subscription" && (
                <DialogLink className="button button-quiet" to={`/profile/urls/remove?website=${website.id}`} view={RemoveWebsite}>
                  {t("urls.remove")}
                  <span className="visually-hidden">: {website.origin}</span>
                </DialogLink>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
