import type { ReactNode } from "react";

interface DataTableProps {
  /** Accessible name of the table; invisible, because a heading has the same text. */
  caption: string;
  /** Headings of the columns. */
  columns: string[];
  /** Heading of a first column of checkboxes; invisible. */
  selection?: string;
  className?: string;
  children: ReactNode;
}

/**
 * A table. On narrow screens, CSS stacks the cells, and browsers no longer expose a table; explicit roles, also those of the
 * rows and cells, keep it a table for assistive technology.
 */
export function DataTable({ caption, columns, selection, className = "", children }: DataTableProps) {
  return (
    <table className={`data-table ${className}`.trim()} role="table">
      <caption className="visually-hidden">{caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {selection !== undefined && (
            <th role="columnheader" scope="col">
              <span className="visually-hidden">{selection}</span>
            </th>
          )}
          {columns.map((column) => (
            <th key={column} role="columnheader" scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">{children}</tbody>
    </table>
  );
}
