import { useTranslation } from "react-i18next";
import type { Reached } from "~/findings/page-address";

interface PageAddressProps {
  /** The address asked for. */
  url: string;
  reached: Reached | null;
  /** The page that links to it, where that helps. */
  linkedFrom?: string | null;
}

/** A page's address, and the one that it led to. */
export function PageAddress({ url, reached, linkedFrom = null }: PageAddressProps) {
  return (
    <>
      <span className="address">{url}</span>
      <AddressNotes reached={reached} linkedFrom={linkedFrom} />
    </>
  );
}

/** What is to be said of an address that stands before it. */
export function AddressNotes({ reached, linkedFrom = null }: Omit<PageAddressProps, "url">) {
  const { t } = useTranslation("common");
  return (
    <>
      {reached && (
        <span className="hint address address-note">
          {t(reached.isOtherSite ? "address.reachedOtherSite" : "address.reached", { url: reached.url })}
        </span>
      )}
      {linkedFrom !== null && <span className="hint address address-note">{t("address.linkedFrom", { url: linkedFrom })}</span>}
    </>
  );
}
