import type { Impact } from "~/scan/types";
import { IMPACTS } from "~/scan/types";

const WIDTH = 400;
const HEIGHT = 14;
const GAP = 3;

/**
 * Violated rules by impact as one bar; the list beside it says the same in words. Widths are attributes, because the
 * content security policy allows no inline style.
 */
export function ImpactChart({ impacts }: { impacts: Record<Impact, number> }) {
  const total = IMPACTS.reduce((sum, impact) => sum + impacts[impact], 0);
  const shown = IMPACTS.filter((impact) => impacts[impact] > 0);
  const scale = (WIDTH - GAP * (shown.length - 1)) / Math.max(total, 1);

  const before = (position: number) => shown.slice(0, position).reduce((sum, impact) => sum + impacts[impact], 0);

  return (
    <svg className="impact-chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      {shown.map((impact, position) => (
        <rect
          key={impact}
          className={`bar-${impact}`}
          x={before(position) * scale + position * GAP}
          width={impacts[impact] * scale}
          height={HEIGHT}
        />
      ))}
    </svg>
  );
}
