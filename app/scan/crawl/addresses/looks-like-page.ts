const NO_PAGE = new Set(
  [
    "pdf ps eps epub mobi azw3 djvu rtf doc docx docm dot dotx xls xlsx xlsm xlsb xlt ppt pptx pptm pps ppsx pot vsd",
    "odt ods odp odg pages numbers key csv tsv txt log tex bib ris",
    "jpg jpeg jpe jfif png apng gif webp avif heic heif bmp tif tiff svg svgz ico cur psd ai indd raw cr2 dng",
    "mp3 m4a aac ogg oga opus wav flac mid midi wma mp4 m4v webm ogv mov avi mkv mpg mpeg wmv flv 3gp m3u m3u8 mpd srt vtt",
    "zip gz tgz bz2 xz 7z rar tar zst jar war ear iso img dmg pkg exe msi apk aab ipa deb rpm appimage bin cab crx xpi",
    "css js mjs cjs map json jsonld webmanifest xml xsl xslt xsd dtd rss atom rdf wsdl yaml yml sql wasm swf",
    "woff woff2 ttf otf eot ics ical vcf vcard gpx kml kmz geojson torrent dwg dxf stl step obj asc sig pem crt cer p7s",
  ].flatMap((names) => names.split(" ")),
);

/** Can this be a page, by its extension? */
export function looksLikePage(url: string): boolean {
  const name = new URL(url).pathname.split("/").at(-1) ?? "";
  // In a wiki, `File:Tree.jpg` is the page about a picture.
  if (/:|%3a/i.test(name)) return true;
  const extension = /.\.([a-z\d]+)(?:;.*)?$/i.exec(name)?.[1];
  return extension === undefined || !NO_PAGE.has(extension.toLowerCase());
}
