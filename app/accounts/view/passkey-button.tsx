import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useScripts } from "~/ui/use-scripts";
import { askForPasskey, type PasskeyPurpose } from "./web-authn";

interface PasskeyButtonProps {
  purpose: PasskeyPurpose;
  label: string;
}

/** Button in a form: requests a passkey and submits the form with its answer. Needs scripts; `PasskeysNeedScripts` explains that. */
export function PasskeyButton({ purpose, label }: PasskeyButtonProps) {
  const { t } = useTranslation("factors");
  const hasScripts = useScripts();
  const field = useRef<HTMLInputElement>(null);
  const [state, setState] = useState<"ready" | "asking" | "failed">("ready");

  async function ask() {
    setState("asking");
    try {
      const answer = await askForPasskey(purpose);
      setState("ready");
      send(field.current, answer);
    } catch {
      setState("failed");
    }
  }

  return (
    <>
      <input type="hidden" name="passkey" ref={field} />
      {purpose !== "add" && <PasskeysNeedScripts purpose={purpose} />}
      {hasScripts && (
        <p>
          <button className="button" type="button" aria-disabled={state === "asking"} onClick={state === "asking" ? undefined : ask}>
            {label}
          </button>
        </p>
      )}
      <p role="status">{state === "failed" && t(purpose === "add" ? "passkeys.notAdded" : "passkeys.notUsed")}</p>
    </>
  );
}

/** Notice for browsers without scripts, above the fields that need them. */
export function PasskeysNeedScripts({ purpose }: { purpose: PasskeyPurpose }) {
  const { t } = useTranslation("factors");
  return (
    <noscript>
      <p>{t(purpose === "add" ? "passkeys.scriptsToAdd" : "passkeys.scriptsToUse")}</p>
    </noscript>
  );
}

function send(field: HTMLInputElement | null, answer: string): void {
  if (!field) return;
  field.value = answer;
  field.form?.requestSubmit();
  // Reset: an answer is accepted once, and a second submit of the same form must not send it again.
  field.value = "";
}
