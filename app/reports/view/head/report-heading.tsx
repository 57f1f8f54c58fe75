import type { ReactNode } from "react";

interface ReportHeadingProps {
  /** Displayed address of the site or page. */
  host: string;
  /** Part of the report, or a problem. */
  children: ReactNode;
}

/** Main heading of a page of a report, with the name of the site for screen reader users, who often read headings alone. */
export function ReportHeading({ host, children }: ReportHeadingProps) {
  return (
    <h1>
      {children}
      <span className="heading-site address">: {host}</span>
    </h1>
  );
}
