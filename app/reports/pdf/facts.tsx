import type { ReactNode } from "react";

interface FactsProps {
  className: string;
  children: ReactNode;
}

/** List of terms and values. Not a `dl`: Chromium exports its parts to PDF without their roles. */
export function Facts({ className, children }: FactsProps) {
  return <ul className={`facts ${className}`}>{children}</ul>;
}

export function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <li>
      <span className="term">{term}:</span> <div className="value">{children}</div>
    </li>
  );
}
