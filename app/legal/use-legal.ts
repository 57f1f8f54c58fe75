import { useRouteLoaderData } from "@remix-run/react";
import type { LegalLinks } from "./legal-pages";
import type { VatKind } from "~/platform/vat-kind";

interface Legal extends LegalLinks {
  vat: VatKind | null;
}

const NOTHING_GIVEN: Legal = { terms: null, withdrawal: null, vat: null };

/** Operator's texts and settings about purchases; empty if nothing is sold. */
export function useLegal(): Legal {
  const root = useRouteLoaderData<{ legal: Legal | null }>("root");
  return root?.legal ?? NOTHING_GIVEN;
}
