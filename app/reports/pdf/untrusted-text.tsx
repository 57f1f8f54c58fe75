import type { LocalText } from "~/findings/check-view";
import type { Words } from "./words.server";

/** Text of a checked page, with its own direction and language. @param lang "" if unknown */
export function UntrustedText({ text, lang }: LocalText) {
  // Chromium writes the language of inline text into a PDF only if it has a role.
  return <bdi {...(lang && { lang, role: "note" })}>{text}</bdi>;
}

/** Language of a block with our own text, if it differs from the report's. */
export const languageOf = ({ lang }: LocalText, { locale }: Words): { lang?: string } => (lang === "" || lang === locale ? {} : { lang });

interface AddressProps {
  url: string;
  /** False if the link would lead to an unexpected sign-in. */
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
