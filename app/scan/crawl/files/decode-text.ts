/** Text of a file that declares its own encoding. */
export function textOf(body: Buffer): string {
  return new TextDecoder(encodingOf(body)).decode(body);
}

/** By the byte order mark, else by the XML declaration, else UTF-8. */
function encodingOf(body: Buffer): string {
  if (body[0] === 0xff && body[1] === 0xfe) return "utf-16le";
  if (body[0] === 0xfe && body[1] === 0xff) return "utf-16be";
  const declaration = /^\s*<\?xml[^>]*\bencoding\s*=\s*["']([\w-]+)["']/.exec(body.toString("latin1", 0, 200));
  const name = declaration?.[1] ?? "utf-8";
  try {
    const { encoding } = new TextDecoder(name);
    // A declaration readable as ASCII cannot be UTF-16.
    return encoding.startsWith("utf-16") ? "utf-8" : encoding;
  } catch {
    return "utf-8";
  }
}
