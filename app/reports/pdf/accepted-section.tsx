import { LocalizedText } from "~/ui/localized-text";
import type { SectionProps } from "./section-props";
import { signature } from "./signature";

/** Accepted findings and their reasons; no count includes them. */
export function AcceptedSection({ view, words }: SectionProps) {
  const { rows, more } = view.accepted;
  if (view.accepted.elements === 0) return null;
  const { accepted } = words.texts;
  const { columns } = accepted;
  return (
    <section id="accepted">
      <h2>{accepted.heading}</h2>
      <p>
        {accepted.intro} {view.online.sharedUntil !== null && accepted.shared}
      </p>
      <table>
        <thead>
          <tr>
            {(["problem", "what", "why", "until"] as const).map((column) => (
              <th key={column} scope="col">
                {columns[column]}
              </th>
            ))}
            <th scope="col" className="number">
              {columns.elements}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              <th scope="row">
                <LocalizedText {...row.rule} />
              </th>
              <td>
                <bdi>{words.fill(accepted.scope[row.scope], { url: row.url })}</bdi>
              </td>
              <td>
                {words.t(`report:accepted.kind.${row.kind}`)}
                {row.private && (
                  <>
                    : <bdi>{row.private.reason}</bdi> (<bdi>{signature(row.private, words)}</bdi>)
                  </>
                )}
              </td>
              <td>{row.until ?? accepted.always}</td>
              <td className="number">{words.number(row.elements)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {more > 0 && <p>{words.count(accepted.more, more)}</p>}
    </section>
  );
}
