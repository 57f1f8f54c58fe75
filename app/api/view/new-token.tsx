import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useScripts } from "~/ui/use-scripts";

/** New token, shown only once. */
export function NewToken({ token }: { token: string }) {
  const { t } = useTranslation("tokens");
  return (
    <section aria-labelledby="created">
      <h2 id="created">{t("created.heading")}</h2>
      <p>{t("created.text")}</p>
      <p className="element-code">
        <span className="visually-hidden">{t("created.token")}: </span>
        <code id="new-token" dir="ltr" translate="no">
          {token}
        </code>
      </p>
      <div className="scripted-button">
        <CopyButton text={token} />
      </div>
    </section>
  );
}

/** Copy button, only with scripts; without them, users select the text. */
function CopyButton({ text }: { text: string }) {
  const { t } = useTranslation("tokens");
  const scripts = useScripts();
  const [copied, setCopied] = useState(false);
  // Browsers allow access to the clipboard only in secure contexts.
  if (!scripts || !window.isSecureContext) return null;
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  };
  return (
    <p>
      <button className="button button-quiet" type="button" aria-describedby="created" onClick={copy}>
        {t("created.copy")}
      </button>{" "}
      <span role="status">{copied && t("created.copied")}</span>
    </p>
  );
}
