import { MARK_RADIUS, stopPath, type NumberedStop } from "~/reports/keyboard/walk-view";

/** Colour as in `walk.css`: a separate document has no style sheet. */
const MARK_COLOR = "#9b0043";

export interface NumberedPictureProps {
  /** Size in CSS pixels of the page. */
  size: { width: number; height: number };
  marks: NumberedStop[];
  /** Whether a line connects the marks. */
  isPath?: boolean;
  title: string;
  locale: string;
  /** Picture as WebP in Base64. */
  image: string;
}

/** Numbered picture of a page, as a separate document. */
export function NumberedPicture({ size: { width, height }, marks, isPath = false, title, locale, image }: NumberedPictureProps) {
  return (
    <svg xmlns="http://www.w3.org/2000/svg" viewBox={`0 0 ${width} ${height}`} width={width} height={height} lang={locale} role="img" aria-labelledby="title">
      <title id="title">{title}</title>
      <image href={`data:image/webp;base64,${image}`} width={width} height={height} />
      {marks.map(({ number, box }) => (
        <rect key={number} x={box.x} y={box.y} width={box.width} height={box.height} fill="none" stroke={MARK_COLOR} strokeWidth={3} />
      ))}
      {isPath && <polyline points={stopPath(marks)} fill="none" stroke={MARK_COLOR} strokeOpacity={0.6} strokeWidth={3} />}
      {marks.map(({ number, x, y }) => (
        <g key={number}>
          <circle cx={x} cy={y} r={MARK_RADIUS} fill={MARK_COLOR} stroke="#fff" strokeWidth={2} />
          <text x={x} y={y} fill="#fff" fontFamily="sans-serif" fontSize={17} fontWeight={700} textAnchor="middle" dominantBaseline="central">
            {number}
          </text>
        </g>
      ))}
    </svg>
  );
}
