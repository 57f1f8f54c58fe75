import type { ReactNode } from "react";

interface FactsProps {
  className: string;
  children: ReactNode;
}

/** Terms and their values. A list: Chromium writes the parts of a `dl` into a PDF without saying what they are. */
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
