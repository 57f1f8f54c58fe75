import type { TFunction } from "i18next";
import { PLAN_KEYS } from "~/billing/plans/plans";
import { formatCalendarDate } from "~/platform/i18n/calendar-date";

/** Detail of an audit log entry in words, such as `Last day: 31 December 2027`. */
export function auditDetail(t: TFunction<"admin">, locale: string, [name, value]: [name: string, value: string | number | boolean | null]): string {
  return `${t(`audit.detail.${name as "scan"}`, name)}: ${valueInWords()}`;

  function valueInWords(): string {
    if (value === null) return t("audit.usual");
    if (typeof value === "number") return new Intl.NumberFormat(locale).format(value);
    const plan = name === "plan" && PLAN_KEYS.find((key) => key === value);
    if (plan) return t(`plan.name.${plan}`);
    if (name === "lastDay") return formatCalendarDate(String(value), locale);
    return String(value);
  }
}
