import { Form, Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { LocalTime } from "~/ui/local-time";
import { useLanguagePath } from "~/ui/use-language-path";
import type { PurchaseSummary, PurchaseView } from "~/billing/purchase-summary";

/** The user's purchases, with their cost and usage. */
export function PurchaseList({ purchases, perMonth, paidOnce, total, usage, websites }: PurchaseSummary) {
  const { t } = useTranslation("billing");
  const languagePath = useLanguagePath();
  return (
    <>
      <dl className="facts-list">
        {purchases.map((purchase) => (
          <Purchase key={purchase.id} {...purchase} />
        ))}
        {perMonth && (
          <div>
            <dt>{t("purchases.perMonth")}</dt>
            <dd>{perMonth}</dd>
          </div>
        )}
        {paidOnce && (
          <div>
            <dt>{t("purchases.paidOnce")}</dt>
            <dd>{paidOnce}</dd>
          </div>
        )}
        {total && (
          <div>
            <dt>{t("purchases.total")}</dt>
            <dd>{total}</dd>
          </div>
        )}
        {usage.length > 0 && (
          <div>
            <dt>{t("purchases.websites")}</dt>
            {websites.length === 0 && <dd>{t("purchases.noWebsites")}</dd>}
            {websites.map(({ id, origin, covered }) => (
              <dd key={id} className="breakable">
                {origin}
                {!covered && <span className="hint"> ({t("urls.uncovered")})</span>}
              </dd>
            ))}
          </div>
        )}
      </dl>
      {usage.map(({ kind, current, limit }) => (
        <p key={kind}>
          {limit === null
            ? t("purchases.usedUnlimited", { count: current })
            : t(kind === "subscription" ? "purchases.usedUrls" : "purchases.usedScans", { current, limit, count: limit })}
          {kind === "payment" && <span className="hint"> {t("purchases.scanIs")}</span>}
        </p>
      ))}
      {purchases.some(({ granted }) => !granted) && (
        <Form method="post" action="/profile/billing">
          <button className="button button-quiet" type="submit">
            {t("purchases.portal")}
          </button>
        </Form>
      )}
      <p className="hint">
        {t("purchases.trouble")} <Link to={`${languagePath("/contact")}?topic=billing`}>{t("purchases.write")}</Link>
      </p>
    </>
  );
}

function Purchase(purchase: PurchaseView) {
  return purchase.granted ? <GrantedPlan {...purchase} /> : <BoughtPlan {...purchase} />;
}

function GrantedPlan({ planName, entitles, endsAt }: PurchaseView) {
  const { t } = useTranslation("billing");
  return (
    <div>
      <dt>{t(entitles ? "purchases.subscription" : "purchases.plan")}</dt>
      <dd>
        <strong>{planName}</strong>: {t("purchases.granted")}
        {endsAt !== null && (
          <>
            <br />
            {t(entitles ? "purchases.ends" : "purchases.covered")} <LocalTime at={endsAt} dateOnly />
          </>
        )}
      </dd>
    </div>
  );
}

function BoughtPlan({ kind, planName, price, status, entitles, paidFor, cancelAtPeriodEnd, endsAt, createdAt }: PurchaseView) {
  const { t } = useTranslation("billing");
  const isRevoked = kind === "payment" && status === "succeeded" && !paidFor;
  return (
    <div>
      <dt>{t(kind === "payment" ? "purchases.payments" : entitles ? "purchases.subscription" : "purchases.plan")}</dt>
      <dd>
        <strong>{planName}</strong>, {price}:{" "}
        {isRevoked ? t("purchases.revoked") : t(`purchases.status.${status as "active"}`)}
        {kind === "subscription" && entitles && endsAt !== null ? (
          <>
            <br />
            {t(cancelAtPeriodEnd ? "purchases.ends" : "purchases.renews")} <LocalTime at={endsAt} dateOnly />
          </>
        ) : (
          <>
            {" "}
            (<LocalTime at={createdAt} dateOnly />)
          </>
        )}
        {kind === "payment" && paidFor && endsAt !== null && (
          <>
            <br />
            {t(entitles ? "purchases.covers" : "purchases.covered")} <LocalTime at={endsAt} dateOnly />.{" "}
            {t("purchases.readable")}
          </>
        )}
      </dd>
    </div>
  );
}
