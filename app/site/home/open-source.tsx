import { CodeBlock } from "~/api/view/code-block";
import type { WelcomeTexts } from "./welcome.server";

/** Owner of the software, and how to run it yourself. */
export function OpenSource({ texts, sourceUrl }: { texts: WelcomeTexts["source"]; sourceUrl: string }) {
  return (
    <section className="band" aria-labelledby="open-source">
      <div className="wrap columns-2">
        <h2 id="open-source">{texts.heading}</h2>
        <div className="prose">
          <p>{texts.text}</p>
          <p>{texts.how}</p>
          <CodeBlock code="npm start" />
          <p>
            <a href={sourceUrl}>{texts.link}</a>
          </p>
        </div>
      </div>
    </section>
  );
}
