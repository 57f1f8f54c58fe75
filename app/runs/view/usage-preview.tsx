import { useTranslation } from "react-i18next";
import { ConfirmFirst } from "./confirm-first";

interface UsagePreviewProps {
  open: boolean;
  covered: string[];
  /** Remaining URLs; null for no limit. */
  room: number | null;
  trial: { used: number; limit: number };
  unconfirmed: boolean;
}

/** Entitlement that a new run counts against, shown before the start. */
export function UsagePreview({ open, covered, room, trial, unconfirmed }: UsagePreviewProps) {
  const { t } = useTranslation("runs");
  if (unconfirmed) return <ConfirmFirst />;
  if (open) return <p>{t("counts.open")}</p>;
  const limit = covered.length + (room ?? 0);
  return (
    <>
      {covered.length > 0 && <p>{t("counts.covered")}</p>}
      {room === null && <p>{t("counts.unlimited")}</p>}
      {room !== null && room > 0 && <p>{t("counts.room", { count: limit, next: covered.length + 1, limit })}</p>}
      {limit > 0 && room === 0 && <p>{t("counts.full", { count: limit })}</p>}
      {room === 0 && trial.limit > 0 && (
        <p>{t("counts.trial", { count: trial.limit - trial.used, used: trial.used, limit: trial.limit })}</p>
      )}
    </>
  );
}
