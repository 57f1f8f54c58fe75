import { useTranslation } from "react-i18next";
import { EnlargeLink } from "~/ui/enlargeable-picture";
import { MARK_RADIUS, stopPath, stopsInPicture, type Walk } from "./walk-view";

interface WalkPictureProps {
  walk: Walk;
  picture: NonNullable<Walk["picture"]>;
  /** Address of the picture. */
  src: string;
}

/** Picture of the page with a numbered mark at each stop, and the path between them. The list has the same content in words. */
export function WalkPicture({ walk, picture: { width, height }, src }: WalkPictureProps) {
  const { t } = useTranslation("report");
  const stops = stopsInPicture(walk);
  const alt = t("keyboard.pictureOf", { count: stops.length });
  return (
    <>
      <div className="walk-scroll" role="group" aria-label={t("keyboard.picture")} tabIndex={0}>
        <svg className="walk-picture" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={alt}>
          <image href={src} width={width} height={height} />
          {stops.map(({ number, box }) => (
            <rect key={number} x={box.x} y={box.y} width={box.width} height={box.height} />
          ))}
          <polyline points={stopPath(stops)} />
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
      <EnlargeLink src={`${src}/numbered`} alt={alt} />
    </>
  );
}
