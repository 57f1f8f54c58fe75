import { useTranslation } from "react-i18next";
import { LocalTime } from "~/ui/local-time";
import { PersonState, type PersonView } from "./people-table";

export interface PersonFactsView extends PersonView {
  subject: string | null;
  runs: number;
  sessions: number;
  tokens: number;
}

export function PersonFacts({ person }: { person: PersonFactsView }) {
  const { t, i18n } = useTranslation("admin");
  const number = new Intl.NumberFormat(i18n.language);
  return (
    <dl className="facts-list">
      <div>
        <dt>{t("person.name")}</dt>
        <dd>{person.name}</dd>
      </div>
      <div>
        <dt>{t("person.state")}</dt>
        <dd>
          <PersonState person={person} />
        </dd>
      </div>
      <div>
        <dt>{t("person.kind")}</dt>
        <dd>{t(person.subject === null ? "person.local" : "person.hosted")}</dd>
      </div>
      <div>
        <dt>{t("person.created")}</dt>
        <dd>
          <LocalTime at={person.createdAt} brief />
        </dd>
      </div>
      <div>
        <dt>{t("person.seen")}</dt>
        <dd>{person.seenAt === null ? t("people.never") : <LocalTime at={person.seenAt} brief />}</dd>
      </div>
      {(["runs", "sessions", "tokens"] as const).map((fact) => (
        <div key={fact}>
          <dt>{t(`person.${fact}`)}</dt>
          <dd>{number.format(person[fact])}</dd>
        </div>
      ))}
    </dl>
  );
}
