import { useTranslation } from "react-i18next";
import { ImpactBadge } from "~/ui/impact-badge";
import { LocalTime } from "~/ui/local-time";
import { hasOtherRules, type TrendPoint } from "~/monitoring/history-view";
import { IMPACTS } from "~/scan/types";

const WIDTH = 600;
const HEIGHT = 200;
const WIDEST_BAR = 56;
/** Share of the slot that a bar fills. */
const FILLED = 0.7;

/**
 * Bar chart: elements by impact, run by run. Drawn by attributes, as the content security policy allows no inline style;
 * labels are HTML text beside the chart, which keeps its size on a small screen.
 */
export function TrendPicture({ points, hasTable = false }: { points: TrendPoint[]; /** A table with all values follows. */ hasTable?: boolean }) {
  const { t, i18n } = useTranslation("history");
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || first === last) return <p className="notice">{t("trend.tooFew")}</p>;

  const number = new Intl.NumberFormat(i18n.language);
  const most = Math.max(1, ...points.map(({ elements }) => sumOf(elements)));
  const described = t("trend.described", {
    count: points.length,
    first: number.format(first.total),
    last: number.format(last.total),
  });
  return (
    <figure className="trend">
      <figcaption>{t("trend.caption")}</figcaption>
      <p className="trend-scale" aria-hidden="true">
        {number.format(most)}
      </p>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={hasTable ? `${described} ${t("trend.inTable")}` : described}>
        {points.map((point, index) => (
          <Bar key={point.id} point={point} index={index} count={points.length} most={most} />
        ))}
        {points.map(({ id }, index) => hasOtherRules(points, index) && <RulesLine key={id} x={(index * WIDTH) / points.length} />)}
      </svg>
      <p className="trend-ends" aria-hidden="true">
        <LocalTime at={first.createdAt} dateOnly />
        <LocalTime at={last.createdAt} dateOnly />
      </p>
      <ul className="trend-legend" aria-label={t("trend.legend")}>
        {IMPACTS.map((impact) => (
          <li key={impact}>
            <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
              <rect className={`bar-${impact}`} width="16" height="16" />
            </svg>
            <ImpactBadge impact={impact} />
          </li>
        ))}
        {points.some((_, index) => hasOtherRules(points, index)) && (
          <li>
            <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
              <line className="trend-rules-line" x1="8" x2="8" y1="0" y2="16" />
            </svg>
            {t("trend.rulesLine")}
          </li>
        )}
      </ul>
    </figure>
  );
}

function Bar({ point, index, count, most }: { point: TrendPoint; index: number; count: number; most: number }) {
  const room = WIDTH / count;
  const width = Math.min(WIDEST_BAR, room * FILLED);
  const heightOf = (elements: number) => (elements / most) * HEIGHT;
  return IMPACTS.map((impact, position) => {
    const below = IMPACTS.slice(0, position).reduce((sum, each) => sum + point.elements[each], 0);
    const height = heightOf(point.elements[impact]);
    if (height === 0) return null;
    return (
      <rect
        key={impact}
        className={`bar-${impact}`}
        x={round(index * room + (room - width) / 2)}
        y={round(HEIGHT - heightOf(below) - height)}
        width={round(width)}
        height={round(height)}
      />
    );
  });
}

/** Line between the last run with the earlier rules and the first run with others. */
function RulesLine({ x }: { x: number }) {
  return <line className="trend-rules-line" x1={round(x)} x2={round(x)} y1="0" y2={HEIGHT} />;
}

const sumOf = (elements: TrendPoint["elements"]) => IMPACTS.reduce((sum, impact) => sum + elements[impact], 0);

const round = (length: number) => Math.round(length * 100) / 100;
