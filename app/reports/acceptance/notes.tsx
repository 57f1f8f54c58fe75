import { Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import type { FindingNote } from "~/findings/acceptance/finding-notes.server";
import { LocalTime } from "~/ui/local-time";

interface NotesProps {
  /** Path of the page for writing and deleting notes. */
  path: string;
  notes: FindingNote[];
}

/** Notes on a finding, for the owner of its report. */
export function Notes({ path, notes }: NotesProps) {
  const { t } = useTranslation("report");
  return (
    <section aria-labelledby="notes">
      <h2 id="notes">{t("notes.heading")}</h2>
      <ul className="plain-list">
        {notes.map((note) => (
          <li key={note.id} className="given">
            <NoteText note={note} />
          </li>
        ))}
      </ul>
      <p>
        <Link to={path}>{t(notes.length > 0 ? "notes.edit" : "notes.write")}</Link>
      </p>
    </section>
  );
}

/** Text, author and time of a note. */
export function NoteText({ note: { text, by, at } }: { note: FindingNote }) {
  return (
    <>
      <p className="typed">
        <bdi>{text}</bdi>
      </p>
      <p className="hint">
        <bdi>{by}</bdi>, <LocalTime at={at} brief />
      </p>
    </>
  );
}
