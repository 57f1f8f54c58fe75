import type { LocalText } from "~/findings/check-view";

/** Text of a checked page: its direction and language are its own. @param lang "" where it is not known */
export function Foreign({ text, lang }: LocalText) {
  return <bdi {...(lang && { lang })}>{text}</bdi>;
}

interface AddressProps {
  url: string;
  /** False where it would lead readers to a sign-in that they do not expect. */
  isLink?: boolean;
}

/** The address of a checked page; only one that leads to the web is a link. */
export function Address({ url, isLink = true }: AddressProps) {
  // A cut address leads nowhere.
  const leads = isLink && /^https?:\/\//.test(url) && !url.endsWith("…");
  return (
    <span className="address" dir="ltr">
      {leads ? <a href={url}>{url}</a> : <bdi>{url}</bdi>}
    </span>
  );
}

/** What is to be said of an address, such as where it led to, a line each. */
export function AddressNotes({ notes }: { notes: string[] }) {
  return notes.map((note) => (
    <p key={note} className="address-note">
      <bdi>{note}</bdi>
    </p>
  ));
}
