import { Link } from "@remix-run/react";

interface NeighboursProps {
  /** Accessible name of the navigation. */
  label: string;
  previous: { to: string; text: string } | null;
  next: { to: string; text: string } | null;
  /** Text between both links. */
  here?: string;
}

/** Links to the previous and the next item of a list. */
export function Neighbours({ label, previous, next, here }: NeighboursProps) {
  if (!previous && !next) return null;
  return (
    <nav className="pager" aria-label={label}>
      {previous && <Link to={previous.to}>{previous.text}</Link>} {here && <span>{here}</span>} {next && <Link to={next.to}>{next.text}</Link>}
    </nav>
  );
}
