import { useTranslation } from "react-i18next";
import { useLegal } from "~/legal/use-legal";

/** Note whether prices include value-added tax: a few words beside one price, or a sentence about all prices. */
export function VatNote({ length }: { length: "short" | "long" }) {
  const { t } = useTranslation();
  const { vat } = useLegal();
  return vat && <span className="hint">{t(`vat.${vat}.${length}`)}</span>;
}
