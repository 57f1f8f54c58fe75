import { CRITERION_STATES } from "~/findings/success-criteria";
import type { SectionProps } from "./section-props";

/** All success criteria with the result of the automatic check, and the verdicts of people. */
export function CriteriaSection({ view, words }: SectionProps) {
  const { texts, fill, number } = words;
  const { criteria } = texts;
  const { columns, states } = criteria;
  const numberIn = (state: keyof typeof states) => view.criteria.filter((criterion) => criterion.state === state).length;
  const byHand = view.criteria.filter(({ verdict }) => verdict !== null).length;
  return (
    <section>
      <h2>{criteria.heading}</h2>
      <p>{fill(criteria.intro, { standard: view.standard })}</p>
      {byHand > 0 && <p>{fill(criteria.byHand, { count: number(byHand), total: number(view.criteria.length) })}</p>}
      <table className="narrow">
        <thead>
          <tr>
            <th scope="col">{columns.state}</th>
            <th scope="col" className="number">
              {columns.count}
            </th>
          </tr>
        </thead>
        <tbody>
          {CRITERION_STATES.map((state) => (
            <tr key={state}>
              <th scope="row" className={`state ${state}`}>
                {states[state]}
              </th>
              <td className="number">{number(numberIn(state))}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <table className="criteria">
        <thead>
          <tr>
            <th scope="col">{columns.criterion}</th>
            <th scope="col">{columns.level}</th>
            <th scope="col">{columns.clause}</th>
            <th scope="col">{columns.state}</th>
            {byHand > 0 && <th scope="col">{columns.verdict}</th>}
          </tr>
        </thead>
        <tbody>
          {view.criteria.map(({ name, level, clause, state, verdict }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{level}</td>
              <td>{clause ?? criteria.noClause}</td>
              <td className={`state ${state}`}>{states[state]}</td>
              {byHand > 0 && <td>{verdict ? criteria.verdicts[verdict] : criteria.notAssessed}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
