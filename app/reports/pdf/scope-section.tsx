import type { SectionProps } from "./section-props";

/** Method of the check, pages of the run, and limits of automatic checks. */
export function ScopeSection({ view, words }: SectionProps) {
  const { texts, t, fill, count } = words;
  const { scope } = texts;
  const notSeen = [
    ...(view.scope === "page" ? [scope.otherPages] : []),
    ...(view.inUse ? scope.notSeenInUse : scope.notSeenList),
    ...(view.incompletelyLoaded > 0 ? [count(scope.incompletelyLoaded, view.incompletelyLoaded)] : []),
  ];
  return (
    <section id="scope">
      <h2>{scope.heading}</h2>
      <h3>{scope.how}</h3>
      <p>{fill(scope.howText, { engine: view.engine, standard: view.standard })}</p>
      {view.extent.length > 0 && (
        <>
          <h3>{scope.site}</h3>
          <Sentences of={view.extent} />
        </>
      )}
      <h3>{scope.notSeen}</h3>
      <Sentences of={notSeen} />
      <h3>{t("check:limits.heading")}</h3>
      <p>{t("check:limits.text")}</p>
      <Sentences of={t("check:limits.questions", { returnObjects: true })} />
    </section>
  );
}

function Sentences({ of }: { of: readonly string[] }) {
  return (
    <ul>
      {of.map((sentence) => (
        <li key={sentence}>
          <bdi>{sentence}</bdi>
        </li>
      ))}
    </ul>
  );
}
