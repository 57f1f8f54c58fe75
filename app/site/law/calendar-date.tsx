import { useTranslation } from "react-i18next";
import { formatCalendarDate } from "~/platform/i18n/calendar-date";

/** A day or a month (ISO 8601) in the page's language. */
export function CalendarDate({ on }: { on: string }) {
  const { i18n } = useTranslation();
  return (
    // The browser's locale data may format a date slightly differently than the server's.
    <time dateTime={on} suppressHydrationWarning>
      {formatCalendarDate(on, i18n.language)}
    </time>
  );
}
