import type { LocalText } from "~/findings/check-view";
import { LocalizedText } from "~/ui/localized-text";

interface UnfinishedRulesProps {
  /** Text before the list. */
  text: string;
  rules: LocalText[];
}

/** List item about rules that could not test everything; nothing if there are none. */
export function UnfinishedRules({ text, rules }: UnfinishedRulesProps) {
  if (rules.length === 0) return null;
  return (
    <li>
      {text}
      <ul>
        {rules.map((rule) => (
          <li key={rule.text}>
            <LocalizedText {...rule} />
          </li>
        ))}
      </ul>
    </li>
  );
}
