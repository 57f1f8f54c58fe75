import { useTranslation } from "react-i18next";
import { ONE_TIME_DAYS } from "~/billing/plans/plans";

interface OrderFactsProps {
  plan: "basic" | "pro";
  rhythm: "month" | "once";
  price: string;
  /** Website of the order. */
  url: string | null;
}

/** Summary of an order before it is placed. */
export function OrderFacts({ plan, rhythm, price, url }: OrderFactsProps) {
  const { t } = useTranslation("billing");
  const { t: home } = useTranslation("home");
  return (
    <dl className="facts-list">
      <div>
        <dt>{t("invoice.plan")}</dt>
        <dd>{home(`pricing.${plan}.name`)}</dd>
      </div>
      <div>
        <dt>{t("invoice.price")}</dt>
        <dd>{t(rhythm === "month" ? "invoice.monthly" : "invoice.once", { price })}</dd>
      </div>
      {rhythm === "once" && (
        <div>
          <dt>{t("once.label")}</dt>
          <dd>{t("once.term", { days: ONE_TIME_DAYS })}</dd>
        </div>
      )}
      {url && (
        <div>
          <dt>{t("invoice.url")}</dt>
          <dd className="breakable">{url}</dd>
        </div>
      )}
    </dl>
  );
}
