import { dict, readText, type Dict } from "~/reports/pdf/file/value";

interface Described {
  title: string;
  /** Language tag (BCP 47). */
  language: string;
}

/** The metadata of a file, as XMP, with the claim to be accessible (PDF/UA-1). @param info document information of the file */
export function metadata({ title, language }: Described, info: Dict): Buffer {
  const creator = readText(info.get("Creator"));
  const producer = readText(info.get("Producer"));
  const created = dateOf(readText(info.get("CreationDate")));
  const modified = dateOf(readText(info.get("ModDate")));
  return Buffer.from(`<?xpacket begin="\uFEFF" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:pdf="http://ns.adobe.com/pdf/1.3/">
<pdfuaid:part>1</pdfuaid:part>
<dc:format>application/pdf</dc:format>
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">${escaped(title)}</rdf:li><rdf:li xml:lang="${escaped(language)}">${escaped(title)}</rdf:li></rdf:Alt></dc:title>
<dc:language><rdf:Bag><rdf:li>${escaped(language)}</rdf:li></rdf:Bag></dc:language>
${property("xmp:CreatorTool", creator)}${property("pdf:Producer", producer)}${property("xmp:CreateDate", created)}${property("xmp:ModifyDate", modified)}</rdf:Description>
</rdf:RDF>
</x:xmpmeta>
<?xpacket end="r"?>`);
}

export const metadataEntries = (data: Buffer): Dict => dict({ Type: "/Metadata", Subtype: "/XML", Length: String(data.length) });

const property = (name: string, value: string | null) => (value === null ? "" : `<${name}>${escaped(value)}</${name}>\n`);

/** Date in ISO 8601, from "D:20261126203540+00'00'". */
function dateOf(written: string | null): string | null {
  const [, year, month, day, hour, minute, second, sign, zoneHour, zoneMinute] =
    /^D:(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:Z|([+-])(\d\d)'(\d\d)'?)?$/.exec(written ?? "") ?? [];
  return year === undefined ? null : `${year}-${month}-${day}T${hour}:${minute}:${second}${sign ? `${sign}${zoneHour}:${zoneMinute}` : "Z"}`;
}

/** XML allows no other control characters than tab and line ends. */
function escaped(text: string): string {
  return text
    .toWellFormed()
    // oxlint-disable-next-line no-control-regex
    .replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, "")
    .replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
