import { Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";

interface UsageProps {
  open: boolean;
  covered: string[];
  room: number;
  trial: { used: number; limit: number };
}

/** What is covered, and what may still be had, in one line; nothing where everything is open. */
export function Usage({ open, covered, room, trial }: UsageProps) {
  const { t } = useTranslation("runs");
  if (open) return null;
  const hasBought = covered.length + room > 0;
  return (
    <p className="hint">
      {hasBought && t("usage.urls", { current: covered.length, limit: covered.length + room })}
      {hasBought && trial.limit > 0 && " "}
      {trial.limit > 0 && t("usage.trial", { current: trial.used, limit: trial.limit })}{" "}
      <Link to={hasBought ? "/profile/urls" : "/setup"}>{hasBought ? t("usage.manage") : t("usage.plans")}</Link>
    </p>
  );
}
