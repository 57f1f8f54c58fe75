import type { LocalText } from "~/findings/check-view";

/** Text of a checked page, with its own direction and language. @param lang "" if not known */
export function UntrustedText({ text, lang }: LocalText) {
  return <bdi {...(lang && { lang })}>{text}</bdi>;
}

interface AddressProps {
  url: string;
  /** False if it would lead readers to an unexpected sign-in. */
  isLink?: boolean;
}

/** The address of a checked page; only http(s) addresses are links. */
export function Address({ url, isLink = true }: AddressProps) {
  // A cut address is not a valid link.
  const leads = isLink && /^https?:\/\//.test(url) && !url.endsWith("…");
  return (
    <span className="address" dir="ltr">
      {leads ? <a href={url}>{url}</a> : <bdi>{url}</bdi>}
    </span>
  );
}

/** Notes about an address, such as its final address, one per line. */
export function AddressNotes({ notes }: { notes: string[] }) {
  return notes.map((note) => (
    <p key={note} className="address-note">
      <bdi>{note}</bdi>
    </p>
  ));
}
