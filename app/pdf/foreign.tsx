import type { LocalText } from "~/lib/check-view";

/** Text of a checked page: its direction and language are its own. @param lang "" where it is not known */
export function Foreign({ text, lang }: LocalText) {
  return <bdi {...(lang && { lang })}>{text}</bdi>;
}

/** The address of a checked page; only one that leads to the web is a link. */
export function Address({ url }: { url: string }) {
  // A cut address leads nowhere.
  const leads = /^https?:\/\//.test(url) && !url.endsWith("…");
  return (
    <span className="address" dir="ltr">
      {leads ? <a href={url}>{url}</a> : <bdi>{url}</bdi>}
    </span>
  );
}
