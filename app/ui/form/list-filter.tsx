import { Form, Link } from "@remix-run/react";
import { SelectField } from "./select-field";
import { TextField } from "./text-field";

interface ListFilterProps {
  /** Path of the list. */
  path: string;
  labels: { filter: string; text: string; apply: string; reset: string };
  /** Search text; empty for none. */
  text: string;
  /** Select fields, after the text. */
  choices?: { name: string; label: string; value: string; options: { value: string; label: string }[] }[];
  /** Parameters of the address that no field changes. */
  kept?: Record<string, string>;
  /** The list is filtered or sorted: shows a link to the whole list. */
  isUsed: boolean;
}

/** Filter and order of a list; the address contains the choice. */
export function ListFilter({ path, labels, text, choices = [], kept = {}, isUsed }: ListFilterProps) {
  const state = JSON.stringify([text, choices.map(({ value }) => value), kept]);
  const query = new URLSearchParams(kept).toString();
  return (
    <Form className="filter" method="get" action={path} role="search" aria-label={labels.filter} key={state}>
      {Object.entries(kept).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <TextField id="q" name="q" type="search" label={labels.text} defaultValue={text} spellCheck={false} />
      {choices.map(({ name, label, value, options }) => (
        <SelectField key={name} id={name} name={name} label={label} defaultValue={value} options={options} />
      ))}
      <button className="button button-quiet" type="submit">
        {labels.apply}
      </button>{" "}
      {isUsed && <Link to={query ? `${path}?${query}` : path}>{labels.reset}</Link>}
    </Form>
  );
}
