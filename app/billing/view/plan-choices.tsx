import { Form, Link } from "@remix-run/react";
import { Fragment } from "react";
import { useTranslation } from "react-i18next";
import { RadioGroup } from "~/ui/form/radio-group";
import { TextField } from "~/ui/form/text-field";
import { Icon } from "~/ui/icon";
import { useLanguagePath } from "~/ui/use-language-path";
import type { PlanChoice } from "~/billing/plans/choice";
import type { PlanOffer } from "~/billing/plans/offers";
import { ONE_TIME_DAYS } from "~/billing/plans/plans";
import { OrderTerms } from "./order-terms";

interface PlanChoicesProps {
  offers: PlanOffer[];
  /** Maximum number of pages of a scan. */
  mostPages: number;
  /** Idempotency key: a form sent twice is one order. */
  order: string;
  /** Earlier choice: its plan comes first, with its button. */
  choice: PlanChoice;
  urlError?: string;
  /** Payment method. */
  way: string;
  /** Email address of the user. */
  email: string;
  /** Whether the user is a subscriber: a second monthly plan would be charged as well. */
  subscribed: boolean;
  /** Whether it is a demo: no money is charged. */
  demo: boolean;
}

/** Plans as one form: the website, and a button for each way to pay. */
export function PlanChoices({ offers, mostPages, order, choice, urlError, way, email, subscribed, demo }: PlanChoicesProps) {
  const { t } = useTranslation("billing");
  const { t: home } = useTranslation("home");
  const languagePath = useLanguagePath();
  return (
    <Form className="form plan-form" method="post" action="/setup" noValidate>
      <input type="hidden" name="order" value={order} />
      <input type="hidden" name="check" value={choice.check} />
      <TextField
        id="url"
        name="url"
        label={t("setup.urlLabel")}
        hint={t("setup.urlHint")}
        error={urlError}
        defaultValue={choice.url}
        type="text"
        inputMode="url"
        autoComplete="url"
        autoCapitalize="none"
        spellCheck={false}
      />
      <RadioGroup
        id="way"
        name="way"
        legend={t("setup.way")}
        defaultValue={way}
        choices={(["checkout", "link", "invoice"] as const).map((value) => ({
          value,
          label: t(`setup.ways.${value}.label`),
          hint: t(`setup.ways.${value}.hint`, { email }),
        }))}
      />
      {demo && (
        <p className="notice">
          <Icon name="alert" />
          <span>{t("setup.noMoney")}</span>
        </p>
      )}
      {subscribed && (
        <p className="notice">
          <Icon name="check" />
          <span>
            {t("setup.subscribed")} <a href="#bought">{t("setup.change")}</a>
          </span>
        </p>
      )}
      <OrderTerms />
      <ul className="plans">
        {chosenFirst(offers, choice).map(({ plan, urlLimit, ways }) => (
          <li key={plan} className={plan === choice.plan ? "plan plan-chosen" : "plan"}>
            <h3>
              {home(`pricing.${plan}.name`)}
              {plan === choice.plan && (
                <>
                  {" "}
                  <span className="plan-mark">
                    <Icon name="check" /> {t("setup.chosen")}
                  </span>
                </>
              )}
            </h3>
            <p className="plan-for">{home(`pricing.${plan}.for`)}</p>
            <ul className="plan-features">
              {[
                urlLimit === null ? home("pricing.unlimited") : t("setup.websites", { count: urlLimit }),
                ...home(`pricing.${plan}.features`, { returnObjects: true, pages: mostPages }),
              ].map((feature) => (
                <li key={feature}>
                  <Icon name="check" />
                  {feature}
                </li>
              ))}
            </ul>
            <div className="plan-ways">
              {ways.some(({ rhythm }) => rhythm === "once") && <p className="hint">{t("once.term", { days: ONE_TIME_DAYS })}</p>}
              {ways.filter(({ rhythm }) => rhythm === "once" || !subscribed).map(({ rhythm, price }) => (
                <Fragment key={rhythm}>
                  {" "}
                  <button
                    className={isMain(plan, rhythm, choice) ? "button" : "button button-quiet"}
                    type="submit"
                    name="choice"
                    value={`${plan} ${rhythm}`}
                  >
                    {t(rhythm === "month" ? "setup.monthly" : "setup.once", { plan: home(`pricing.${plan}.name`), price })}
                  </button>
                </Fragment>
              ))}
            </div>
          </li>
        ))}
      </ul>
      <p className="hint">{t("setup.next")}</p>
      <p>
        {t("setup.enterprise")} <Link to={`${languagePath("/contact")}?topic=enterprise`}>{t("setup.enterpriseLink")}</Link>
      </p>
    </Form>
  );
}

/** Plans with the chosen one first: the Enter key presses the first button of a form. */
function chosenFirst(offers: PlanOffer[], { plan, rhythm }: PlanChoice): PlanOffer[] {
  const sorted = offers.toSorted((one, other) => Number(other.plan === plan) - Number(one.plan === plan));
  return sorted.map((offer) => {
    if (offer.plan !== plan) return offer;
    const ways = offer.ways.toSorted((one, other) => Number(other.rhythm === rhythm) - Number(one.rhythm === rhythm));
    return { ...offer, ways };
  });
}

/** Whether a button is emphasized: with an earlier choice, only its button. */
function isMain(plan: PlanOffer["plan"], rhythm: "month" | "once", choice: PlanChoice): boolean {
  if (choice.plan === "") return rhythm === "month";
  return plan === choice.plan && rhythm === (choice.rhythm || "month");
}
