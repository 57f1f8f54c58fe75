import { useTranslation } from "react-i18next";
import { MARK_RADIUS, stopsInPicture, type Walk } from "./walk-view";

interface WalkPictureProps {
  walk: Walk;
  picture: NonNullable<Walk["picture"]>;
  /** Address of the picture. */
  src: string;
}

/** A picture of the page with a numbered mark at each stop, and the path between them. The list says the same in words. */
export function WalkPicture({ walk, picture: { width, height }, src }: WalkPictureProps) {
  const { t } = useTranslation("report");
  const stops = stopsInPicture(walk);
  return (
    <div className="walk-scroll" role="group" aria-label={t("keyboard.picture")} tabIndex={0}>
      <svg className="walk-picture" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={t("keyboard.pictureOf", { count: stops.length })}>
        <image href={src} width={width} height={height} />
        {stops.map(({ number, box }) => (
          <rect key={number} x={box.x} y={box.y} width={box.width} height={box.height} />
        ))}
        <polyline points={stops.map(({ x, y }) => `${x},${y}`).join(" ")} />
        {stops.map(({ number, x, y }) => (
          <g key={number}>
            <circle cx={x} cy={y} r={MARK_RADIUS} />
            <text x={x} y={y}>
              {number}
            </text>
          </g>
        ))}
      </svg>
    </div>
  );
}
