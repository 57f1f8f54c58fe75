import { useTranslation } from "react-i18next";
import { isAhead, type LawEvent } from "./law-pages";
import { CalendarDate } from "./calendar-date";

/** Events in order of time, as a line with points; points of future events are hollow. @param now Unix time in ms */
export function Timeline({ events, now }: { events: LawEvent[]; now: number }) {
  const { t } = useTranslation("law");
  return (
    <ol className="timeline">
      {events.map(({ on, title, text }) => {
        const ahead = isAhead(on, now);
        return (
          <li key={on} className={ahead ? "timeline-ahead" : undefined}>
            <p className="timeline-date">
              <CalendarDate on={on} />
              {ahead && <span className="timeline-state"> {t("ahead")}</span>}
            </p>
            <h3>{title}</h3>
            <p>{text}</p>
          </li>
        );
      })}
    </ol>
  );
}
