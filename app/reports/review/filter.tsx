import { Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { REVIEW_STATES, type ReviewState } from "./answer";

interface ReviewFilterProps {
  path: string;
  state: ReviewState;
  counts: Record<ReviewState, number>;
}

/** Filter of the questions: all, open, or answered. */
export function ReviewFilter({ path, state, counts }: ReviewFilterProps) {
  const { t, i18n } = useTranslation("reviews");
  const number = new Intl.NumberFormat(i18n.language);
  return (
    <nav className="parts" aria-label={t("filter.label")}>
      <ul>
        {REVIEW_STATES.map((each) => (
          <li key={each}>
            <Link to={each === "all" ? path : `${path}?state=${each}`} aria-current={each === state ? "page" : undefined}>
              {t(`filter.${each}`)}{" "}
              <span className="count">{number.format(counts[each])}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
