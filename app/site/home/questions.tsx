import { Link } from "@remix-run/react";
import type { WelcomeTexts } from "./welcome.server";

/** Frequent questions, each with a collapsed answer. */
export function Questions({ texts }: { texts: WelcomeTexts["questions"] }) {
  return (
    <section className="band band-raised" aria-labelledby="questions">
      <div className="wrap">
        <h2 id="questions">{texts.heading}</h2>
        {texts.list.map(({ question, answer, link }) => (
          <details key={question} className="asked">
            <summary>
              <h3>{question}</h3>
            </summary>
            <p>{answer}</p>
            {link && (
              <p>
                <Link to={link.to}>{link.label}</Link>
              </p>
            )}
          </details>
        ))}
      </div>
    </section>
  );
}
