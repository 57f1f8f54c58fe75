import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useScripts } from "~/ui/use-scripts";

interface CopyButtonProps {
  label: string;
  /** Text to copy. The page shows it too: without scripts, there is no button. */
  text: string;
}

/** Button that copies a text and announces the result. */
export function CopyButton({ label, text }: CopyButtonProps) {
  const { t } = useTranslation();
  const hasScripts = useScripts();
  const [outcome, setOutcome] = useState<"copied" | "failed" | null>(null);
  const told = useRef<ReturnType<typeof setTimeout>>(undefined);
  async function copy() {
    clearTimeout(told.current);
    setOutcome(null);
    const done = await writeToClipboard(text);
    // Delay: screen readers announce an equal message again only after it was removed.
    told.current = setTimeout(() => setOutcome(done ? "copied" : "failed"), 50);
  }
  return (
    <div className="scripted-button">
      {hasScripts && (
        <p className="copy">
          <button className="button button-quiet" type="button" onClick={copy}>
            {label}
          </button>{" "}
          <span role="status">{outcome && t(`copy.${outcome}`)}</span>
        </p>
      )}
    </div>
  );
}

/** Browsers refuse it without a permission, and on pages without HTTPS. */
async function writeToClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
