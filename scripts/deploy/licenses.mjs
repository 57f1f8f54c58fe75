import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { shippedPackages } from "./shipped-packages.mjs";

const RULE = "=".repeat(100);

const INTRODUCTION = `Rampe is free software under the MIT licence. It contains the work of others, under the licences below. The source of each
package is at the address given there; that of axe-core (MPL-2.0), whose texts Rampe also translates, is in the package itself.
`;

/** Licence text for packages that name the licence, but do not contain its text. */
const MIT = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files
(the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge,
publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so,
subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE
FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION
WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;

/** Origin of the shapes in app/ui/icon.tsx. */
const ICONS = {
  title: "Lucide (icons)",
  license: "ISC",
  source: "https://github.com/lucide-icons/lucide",
  text: `Copyright (c) 2020, Lucide Contributors

Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted, provided that
the above copyright notice and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED WARRANTIES
OF MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT, INDIRECT, OR CONSEQUENTIAL DAMAGES OR
ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS
ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF THIS SOFTWARE.`,
};

/**
 * Licences of all third-party parts of the product, as one text.
 *
 * @param {string} root folder of the repository, with its packages installed
 * @throws {Error} if the licence of a package is not known
 */
export function thirdPartyLicenses(root) {
  const packages = shippedPackages(root).map((path) => read(root, path));
  const apache = packages.find(({ text }) => /Apache License\s+Version 2\.0/.test(text))?.text;
  const works = [...packages.map((each) => ({ ...each, text: each.text || standardText(each, apache) })), ICONS];
  const sections = works.map(({ title, license, source, text }) => `${RULE}\n${title}\nLicence: ${license}\nSource: ${source}\n\n${text}\n`);
  return [INTRODUCTION, ...sections].join("\n");
}

/**
 * @param {string} root
 * @param {string} path
 */
function read(root, path) {
  const { name, version, license, author, contributors = [], repository, homepage } = JSON.parse(readFileSync(join(root, path, "package.json"), "utf8"));
  const files = readdirSync(join(root, path)).filter((file) => /^(licen[cs]e|copying|notice|ofl)/i.test(file)).sort();
  const people = [...new Set([author, ...contributors].filter(Boolean).map((each) => each.name ?? each))];
  return {
    title: `${name} ${version}`,
    license: license?.type ?? license,
    people: people.length > 0 ? people.join(", ") : `the authors of ${name}`,
    source: (repository?.url ?? repository ?? homepage ?? `https://www.npmjs.com/package/${name}`).replace(/^git\+/, ""),
    text: files.map((file) => readFileSync(join(root, path, file), "utf8").trim()).join("\n\n"),
  };
}

/**
 * @param {{ title: string, license: string, people: string }} work
 * @param {string | undefined} apache
 */
function standardText({ title, license, people }, apache) {
  const copyright = `Copyright (c) ${people}`;
  const texts = { MIT, "Apache-2.0": apache, "(Apache-2.0 AND MIT)": apache && `${MIT}\n\n${apache}` };
  const text = texts[/** @type {keyof typeof texts} */ (license)];
  if (!text) throw new Error(`${title} has no text of its licence (${license}).`);
  return `${copyright}\n\n${text}`;
}
