import { Link } from "@remix-run/react";
import { Fragment } from "react";
import { useTranslation } from "react-i18next";
import { VatNote } from "~/billing/view/vat-note";
import { Icon } from "~/ui/icon";
import { useLanguagePath } from "~/ui/use-language-path";
import { choicePath, type PlanChoice } from "~/billing/plans/choice";
import type { PlanOffer } from "~/billing/plans/offers";
import { ONE_TIME_DAYS } from "~/billing/plans/plans";
import { PlanTable } from "./plan-table";

type PlanKey = PlanOffer["plan"] | "enterprise";

interface PricingProps {
  offers: PlanOffer[];
  /** The visitor's choice so far, such as the result of a free check. */
  choice: PlanChoice;
  /** Host of the chosen page in readable form; null for none. */
  wantedHost: string | null;
  /** Maximum number of pages of a scan. */
  mostPages: number;
}

/** The plans with their prices, and the plan with an individual price. */
export function Pricing({ offers, choice, wantedHost, mostPages }: PricingProps) {
  const { t } = useTranslation("home");
  return (
    <section className="band" id="pricing" aria-labelledby="pricing-heading">
      <div className="wrap">
        <h2 id="pricing-heading">{t("pricing.heading")}</h2>
        <p className="lead">{t("pricing.lead")}</p>
        {wantedHost && (
          <p className="notice">
            <Icon name="lock" />
            <span>
              {t(choice.check ? "pricing.unlocks" : "pricing.wanted", { host: wantedHost })}{" "}
              {choice.check && <Link to={`/check/${choice.check}`}>{t("pricing.toResult")}</Link>}
            </span>
          </p>
        )}
        <ul className="plans">
          {offers.map((offer) => (
            <li key={offer.plan} className="plan">
              <PlanCard plan={offer.plan} offer={offer} choice={choice} mostPages={mostPages} />
            </li>
          ))}
          <li className="plan">
            <PlanCard plan="enterprise" offer={null} choice={choice} mostPages={mostPages} />
          </li>
        </ul>
        <PlanTable offers={offers} mostPages={mostPages} />
      </div>
    </section>
  );
}

interface PlanCardProps extends Pick<PricingProps, "choice" | "mostPages"> {
  plan: PlanKey;
  offer: PlanOffer | null;
}

function PlanCard({ plan, offer, choice, mostPages }: PlanCardProps) {
  const { t } = useTranslation("home");
  const languagePath = useLanguagePath();
  const name = t(`pricing.${plan}.name`);
  return (
    <>
      <h3>{name}</h3>
      <p className="plan-for">{t(`pricing.${plan}.for`)}</p>
      <p className="plan-price">
        {offer ? <Prices ways={offer.ways} /> : <strong>{t("pricing.custom")}</strong>}
      </p>
      <ul className="plan-features">
        <li>
          <Icon name="check" />
          {offer?.urlLimit ? t("pricing.websites", { count: offer.urlLimit }) : t("pricing.unlimited")}
        </li>
        {t(`pricing.${plan}.features`, { returnObjects: true, pages: mostPages }).map((feature) => (
          <li key={feature}>
            <Icon name="check" />
            {feature}
          </li>
        ))}
      </ul>
      <div className="plan-ways">
        {offer?.ways.some(({ rhythm }) => rhythm === "once") && (
          <p className="hint">{t("pricing.onceTerm", { days: ONE_TIME_DAYS })}</p>
        )}
        {offer?.ways.map(({ rhythm }) => (
          <Fragment key={rhythm}>
            {" "}
            <Link className="button button-quiet" to={choicePath("/setup", { ...choice, plan: offer.plan, rhythm })}>
              {t(rhythm === "month" ? "pricing.chooseMonth" : "pricing.chooseOnce", { plan: name })}
            </Link>
          </Fragment>
        ))}
        {!offer && (
          <Link className="button button-quiet" to={`${languagePath("/contact")}?topic=enterprise`}>
            {t("pricing.contact")}
          </Link>
        )}
      </div>
    </>
  );
}

function Prices({ ways }: Pick<PlanOffer, "ways">) {
  const { t } = useTranslation("home");
  const monthly = ways.find(({ rhythm }) => rhythm === "month")?.price;
  const once = ways.find(({ rhythm }) => rhythm === "once")?.price;
  return (
    <>
      <strong>{monthly ?? once}</strong> {monthly && t("pricing.perMonth")}
      {monthly && once && (
        <>
          <br />
          <span className="plan-once">{t("pricing.or", { price: once, days: ONE_TIME_DAYS })}</span>
        </>
      )}
      <br />
      <VatNote length="short" />
    </>
  );
}
