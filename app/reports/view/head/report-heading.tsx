import type { ReactNode } from "react";

interface ReportHeadingProps {
  /** The address for display that the page is about. */
  host: string;
  /** A part of the report, or a problem. */
  children: ReactNode;
}

/** Heading of a page of a report. It names the site too: whoever jumps from heading to heading reads nothing else. */
export function ReportHeading({ host, children }: ReportHeadingProps) {
  return (
    <h1>
      {children}
      <span className="heading-site address">: {host}</span>
    </h1>
  );
}
