import { useTranslation } from "react-i18next";
import { LegalLink } from "~/legal/legal-link";
import { useLegal } from "~/legal/use-legal";
import { VatNote } from "./vat-note";

/** Terms of an order, to read before placing it. */
export function OrderTerms() {
  const { t } = useTranslation();
  const { terms, withdrawal, vat } = useLegal();
  if (!terms && !withdrawal && !vat) return null;
  return (
    <div>
      {vat && (
        <p>
          <VatNote length="long" />
        </p>
      )}
      {terms && (
        <p>
          {t("legal.termsApply")} <LegalLink text="terms" href={terms} />
        </p>
      )}
      {withdrawal && (
        <p>
          {t("legal.howToWithdraw")} <LegalLink text="withdrawal" href={withdrawal} />
        </p>
      )}
    </div>
  );
}
