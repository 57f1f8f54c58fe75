import { Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { CURRENCIES, formatPrice, PLANS, type Plan } from "~/lib/plans";
import { isLocale } from "~/lib/i18n";
import { Icon } from "~/components/icon";

export function Pricing() {
  const { t } = useTranslation("home");
  return (
    <section className="band" id="pricing" aria-labelledby="pricing-heading">
      <div className="wrap">
        <h2 id="pricing-heading">{t("pricing.heading")}</h2>
        <p className="lead">{t("pricing.lead")}</p>
        <ul className="plans">
          {PLANS.map((plan) => (
            <li key={plan.key} className="plan">
              <PlanCard plan={plan} />
            </li>
          ))}
        </ul>
        <p className="hint">{t("pricing.soon")}</p>
      </div>
    </section>
  );
}

function PlanCard({ plan }: { plan: Plan }) {
  const { t, i18n } = useTranslation("home");
  const name = t(`pricing.${plan.key}.name`);
  const currency = CURRENCIES[isLocale(i18n.language) ? i18n.language : "de"];
  const price = (amount: number) => formatPrice(amount, currency, i18n.language);

  return (
    <>
      <h3>{name}</h3>
      <p className="plan-for">{t(`pricing.${plan.key}.for`)}</p>
      {plan.prices ? (
        <p className="plan-price">
          <strong>{price(plan.prices.monthly)}</strong> {t("pricing.perMonth")}
          <br />
          <span className="plan-once">{t("pricing.or", { price: price(plan.prices.once) })}</span>
        </p>
      ) : (
        <p className="plan-price">
          <strong>{t("pricing.custom")}</strong>
        </p>
      )}
      <ul className="plan-features">
        <li>
          <Icon name="check" />
          {plan.domains === null ? t("pricing.unlimited") : t("pricing.domains", { count: plan.domains })}
        </li>
        {t(`pricing.${plan.key}.features`, { returnObjects: true }).map((feature) => (
          <li key={feature}>
            <Icon name="check" />
            {feature}
          </li>
        ))}
      </ul>
      <Link className="button button-quiet" to={plan.prices ? `/setup?plan=${plan.key}` : "/contact"}>
        {plan.prices ? t("pricing.choose", { plan: name }) : t("pricing.contact")}
      </Link>
    </>
  );
}
