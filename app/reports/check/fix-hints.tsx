import type { ElementView } from "~/findings/check-view";
import { LocalizedText } from "~/ui/localized-text";

/** Tasks for an element, in axe-core's words. */
export function FixHints({ fixes }: Pick<ElementView, "fixes">) {
  return fixes.map(({ heading, items }) => (
    <div key={heading} className="fixes">
      <p>{heading}</p>
      <ul>
        {items.map((item) => (
          <li key={item.text}>
            <LocalizedText {...item} />
          </li>
        ))}
      </ul>
    </div>
  ));
}
