import { useTranslation } from "react-i18next";

const WIDTH = 96;
const HEIGHT = 28;
/** Margin around the line, so that its ends are not cut off. */
const MARGIN = 3;

/** Elements with violations in comparable runs: as a small line, and in words. @param values the oldest first, at least two */
export function TrendLine({ values }: { values: number[] }) {
  const { t, i18n } = useTranslation("websites");
  const number = new Intl.NumberFormat(i18n.language);
  const most = Math.max(1, ...values);
  const x = (index: number) => MARGIN + (index * (WIDTH - 2 * MARGIN)) / (values.length - 1);
  const y = (value: number) => HEIGHT - MARGIN - (value / most) * (HEIGHT - 2 * MARGIN);
  const points = values.map((value, index) => `${x(index).toFixed(1)},${y(value).toFixed(1)}`);
  const [first = 0, last = 0] = [values[0], values.at(-1)];
  return (
    <>
      <svg className="trend-line" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width={WIDTH} height={HEIGHT} aria-hidden="true">
        <polyline points={points.join(" ")} />
        <circle cx={x(values.length - 1)} cy={y(last)} r="3" />
      </svg>
      <div className="hint">{t("trend.words", { count: values.length, first: number.format(first), last: number.format(last) })}</div>
    </>
  );
}
