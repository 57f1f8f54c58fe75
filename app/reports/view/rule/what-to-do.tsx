import { useTranslation } from "react-i18next";
import { FixHints } from "~/reports/check/fix-hints";
import type { ElementView } from "~/findings/check-view";
import type { Fix } from "~/findings/fixes/fix";
import type { Category } from "~/scan/types";
import { ProposedFix } from "./fix";

interface WhatToDoProps {
  category: Category;
  fix: Fix | null;
  hints: ElementView["fixes"];
}

/** Fix for an element; for an element that needs review: only if the review finds a problem. */
export function WhatToDo({ category, fix, hints }: WhatToDoProps) {
  const { t } = useTranslation("report");
  if (category !== "incomplete") {
    return (
      <>
        {fix && <ProposedFix fix={fix} />}
        <FixHints fixes={hints} />
      </>
    );
  }
  return (
    <>
      <FixHints fixes={hints} />
      {fix && (
        <>
          <p className="prose-line">{t("group.ifProblem")}</p>
          <ProposedFix fix={fix} />
        </>
      )}
    </>
  );
}
