import { Link } from "@remix-run/react";
import type { WelcomeTexts } from "./welcome.server";
import { ReportPicture } from "./report-picture";

/** Contents of a full report, with a link to the public sample report. */
export function ReportContents({ texts }: { texts: WelcomeTexts["report"] }) {
  return (
    <section className="band band-raised" aria-labelledby="report-contents">
      <div className="wrap">
        <div className="report-intro">
          <div>
            <h2 id="report-contents">{texts.heading}</h2>
            <p className="lead">{texts.lead}</p>
            <p>
              <Link className="button" to="/sample">
                {texts.sample}
              </Link>
            </p>
            <p className="hint">{texts.sampleHint}</p>
          </div>
          <ReportPicture />
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
