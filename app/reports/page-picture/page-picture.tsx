import { Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { PlaceInWords } from "~/reports/check/problem/place-in-words";
import { markCentre, MARK_RADIUS } from "~/reports/keyboard/walk-view";
import { LocalizedText } from "~/ui/localized-text";
import type { PagePictureView } from "./view";

/** Picture of the page with numbered elements, and the same elements as links in words. */
export function PagePicture({ src, host, width, height, marks, unmarked }: PagePictureView) {
  const { t } = useTranslation("report");
  return (
    <section aria-labelledby="page-picture">
      <h2 id="page-picture">{t("pagePicture.heading")}</h2>
      <p className="prose-line">
        {t("pagePicture.lead")} <span className="address">{host}</span>
      </p>
      <div className="marked-page">
        <div>
          {/* Scrollable: numbers stay readable on small screens. The list has the same content. */}
          <div className="walk-scroll marked-page-scroll" role="group" aria-label={t("pagePicture.scroll")} tabIndex={0}>
            <svg className="walk-picture" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={t("pagePicture.of", { count: marks.length })}>
              <image href={src} width={width} height={height} />
              {marks.map(({ box }, index) => (
                <rect key={index} x={box.x} y={box.y} width={box.width} height={box.height} />
              ))}
              {marks.map(({ box }, index) => {
                const { x, y } = markCentre(box, { width, height });
                return (
                  <g key={index}>
                    <circle cx={x} cy={y} r={MARK_RADIUS} />
                    <text x={x} y={y}>
                      {index + 1}
                    </text>
                  </g>
                );
              })}
            </svg>
          </div>
          <ul className="link-list">
            <li>
              <a href={`${src}/numbered`}>{t("pagePicture.numbered")}</a>
            </li>
            <li>
              <a href={src}>{t("pagePicture.plain")}</a>
            </li>
          </ul>
        </div>
        <div>
          {marks.length === 0 && <p>{t("pagePicture.none")}</p>}
          <ol className="marked-places">
            {marks.map(({ title, to, number, place }) => (
              <li key={to}>
                <Link to={to}>
                  <LocalizedText {...title} />
                  {t("element.heading", { number })}
                </Link>{" "}
                {(place.context || place.isWholePage) && (
                  <span className="hint">
                    <PlaceInWords {...place} />
                  </span>
                )}
              </li>
            ))}
          </ol>
          {unmarked > 0 && <p className="hint">{t("pagePicture.more", { count: unmarked })}</p>}
        </div>
      </div>
    </section>
  );
}
