import { IMPACTS } from "~/scan/types";

/** Widths of the bar's parts, the worst impact first. */
const PARTS = [96, 120, 62, 34];
const ROWS = [168, 128, 148];

/** Simplified picture of a report: four counts, the violated rules by impact, and the list with the worst rule first. */
export function ReportPicture() {
  const startOf = (index: number) => 24 + PARTS.slice(0, index).reduce((sum, width) => sum + width + 4, 0);
  return (
    <svg className="report-picture" viewBox="0 0 372 292" aria-hidden="true" focusable="false">
      <rect className="picture-sheet" x="1" y="1" width="370" height="290" rx="12" />
      <rect className="picture-ink" x="24" y="26" width="150" height="12" rx="6" />
      {[0, 1, 2, 3].map((tile) => (
        <g key={tile} transform={`translate(${24 + tile * 82} 56)`}>
          <rect className={tile === 0 ? "picture-tile picture-tile-first" : "picture-tile"} width="78" height="50" rx="6" />
          <rect className="picture-faint" x="10" y="12" width="44" height="6" rx="3" />
          <rect className={tile === 0 ? "bar-critical" : "picture-ink"} x="10" y="27" width="20" height="12" rx="3" />
        </g>
      ))}
      {IMPACTS.map((impact, index) => (
        <rect key={impact} className={`bar-${impact}`} x={startOf(index)} y="124" width={PARTS[index]} height="12" />
      ))}
      {ROWS.map((width, row) => (
        <g key={width} transform={`translate(24 ${156 + row * 42})`}>
          <path className={row === 2 ? "bar-serious" : "bar-critical"} d={row === 2 ? "M12 2 22 12 12 22 2 12Z" : "M7.9 2h8.2L22 7.9v8.2L16.1 22H7.9L2 16.1V7.9Z"} />
          <rect className="picture-ink" x="36" y="3" width={width} height="8" rx="4" />
          <rect className="picture-faint" x="36" y="17" width={width + 80} height="6" rx="3" />
        </g>
      ))}
    </svg>
  );
}
