import { Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import type { UrlUsage } from "~/billing/websites/url-usage";
import { ConfirmFirst } from "./confirm-first";

interface UsageProps {
  open: boolean;
  usage: UrlUsage[];
  trial: { used: number; limit: number };
  unconfirmed: boolean;
}

/** Used and remaining entitlements in one line; empty if everything is allowed. */
export function Usage({ open, usage, trial, unconfirmed }: UsageProps) {
  const { t } = useTranslation("runs");
  if (unconfirmed) return <ConfirmFirst />;
  if (open) return null;
  const hasBought = usage.length > 0;
  const sentences = usage.map(({ kind, current, limit }) =>
    limit === null ? t("usage.unlimited", { count: current }) : t(`usage.${kind}`, { current, limit, count: limit }),
  );
  if (trial.limit > 0) sentences.push(t("usage.trial", { current: trial.used, limit: trial.limit, count: trial.limit }));
  return (
    <p className="hint">
      {sentences.join(" ")}{" "}
      <Link to={hasBought ? "/profile/urls" : "/setup"}>{hasBought ? t("usage.manage") : t("usage.plans")}</Link>
    </p>
  );
}
