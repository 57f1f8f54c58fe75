import { useTranslation } from "react-i18next";
import { calendarDay } from "~/platform/i18n/calendar-date";
import { TIME_ZONE } from "~/platform/i18n/time-zone";

interface LocalTimeProps {
  /** Unix time in ms. */
  at: number;
  dateOnly?: boolean;
  /** Omits seconds and time zone. */
  brief?: boolean;
}

export function LocalTime({ at, dateOnly = false, brief = false }: LocalTimeProps) {
  const { i18n } = useTranslation();
  const moment = new Date(at);
  const text = new Intl.DateTimeFormat(i18n.language, {
    dateStyle: "long",
    ...(dateOnly ? {} : { timeStyle: brief ? "short" : "long" }),
    timeZone: TIME_ZONE,
  }).format(moment);
  return (
    // The browser's locale data may format a date slightly differently than the server's.
    <time dateTime={dateOnly ? calendarDay(at) : moment.toISOString()} suppressHydrationWarning>
      {text}
    </time>
  );
}
