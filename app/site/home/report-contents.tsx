import { Link } from "@remix-run/react";
import type { ColorScheme } from "~/platform/http/color-scheme";
import type { Locale } from "~/platform/i18n/i18n";
import { ProductPictureFigure } from "./product-picture";
import { PRODUCT_PICTURES } from "./product-pictures";
import type { WelcomeTexts } from "./welcome.server";

interface ReportContentsProps {
  texts: WelcomeTexts["report"];
  locale: Locale;
  scheme: ColorScheme;
}

/** Contents of a full report, with pictures of the public sample report and a link to it. */
export function ReportContents({ texts, locale, scheme }: ReportContentsProps) {
  return (
    <section className="band band-raised" aria-labelledby="report-contents">
      <div className="wrap">
        <h2 id="report-contents">{texts.heading}</h2>
        <p className="lead">{texts.lead}</p>
        <p>
          <Link className="button" to="/sample">
            {texts.sample}
          </Link>
        </p>
        <p className="hint">{texts.sampleHint}</p>
        <div className="product-pictures">
          {PRODUCT_PICTURES.map((picture) => (
            <ProductPictureFigure key={picture.name} picture={picture} locale={locale} scheme={scheme} {...texts.pictures[picture.name]} />
          ))}
        </div>
        <dl className="contents">
          {texts.parts.map(({ term, text }) => (
            <div key={term}>
              <dt>{term}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      </div>
    </section>
  );
}
