import type { ReactNode } from "react";

/** One kind of component in the states it has, under the names of what is shown: files of `app/ui`, or classes. */
export function Specimen({ of, children }: { of: string; children: ReactNode }) {
  const id = of.replace(/\W+/g, "-");
  return (
    <section className="band" aria-labelledby={id}>
      <div className="wrap">
        <h2 id={id} lang="en" translate="no">
          {of}
        </h2>
        {children}
      </div>
    </section>
  );
}
