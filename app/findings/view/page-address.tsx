import { useTranslation } from "react-i18next";
import type { Reached } from "~/findings/page-address";

interface PageAddressProps {
  /** Requested address. */
  url: string;
  reached: Reached | null;
  /** Page that links to it, if helpful. */
  linkedFrom?: string | null;
}

/** A page's address, and its final address after redirects. */
export function PageAddress({ url, reached, linkedFrom = null }: PageAddressProps) {
  return (
    <>
      <span className="address">{url}</span>{" "}
      <AddressNotes reached={reached} linkedFrom={linkedFrom} />
    </>
  );
}

/** Notes about the address, shown before it. */
export function AddressNotes({ reached, linkedFrom = null }: Omit<PageAddressProps, "url">) {
  const { t } = useTranslation("common");
  return (
    <>
      {reached && (
        <span className="hint address address-note">
          {t(reached.isOtherSite ? "address.reachedOtherSite" : "address.reached", { url: reached.url })}
        </span>
      )}{" "}
      {linkedFrom !== null && <span className="hint address address-note">{t("address.linkedFrom", { url: linkedFrom })}</span>}
    </>
  );
}
