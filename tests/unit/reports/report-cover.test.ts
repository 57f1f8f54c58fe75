import { crc32, deflateSync, inflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { contrastRatio, parseHex } from "~/findings/fixes/color";
import { textColorOn } from "~/reports/cover-color";
import { cleanLogo, MAX_LOGO_BYTES, type Logo } from "~/reports/logo.server";
import { createReportCovers } from "~/reports/report-cover.server";
import { freshDatabase } from "../../support/database/database";
import { addUsers } from "../../support/database/finished-runs";

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const numbers = Buffer.alloc(8);
  numbers.writeUInt32BE(data.length, 0);
  numbers.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([numbers.subarray(0, 4), body, numbers.subarray(4)]);
}

const SIGNATURE = Buffer.from("89504e470d0a1a0a", "hex");

/** Grey picture, with further parts. @param pixels its data, for invalid pictures */
function png({ width = 4, height = 3, pixels = Buffer.alloc(height * (1 + width)), more = [] as Buffer[], behind = "" } = {}): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head[8] = 8;
  return Buffer.concat([SIGNATURE, chunk("IHDR", head), ...more, chunk("IDAT", deflateSync(pixels)), chunk("IEND", Buffer.alloc(0)), Buffer.from(behind)]);
}

const cleaned = (file: Buffer): Logo => {
  const logo = cleanLogo(file);
  if (typeof logo === "string") throw new Error(logo);
  return logo;
};

test("a logo is written anew, with its pixels alone", () => {
  const text = chunk("tEXt", Buffer.from("Author\0secret"));
  const image = cleaned(png({ more: [text], behind: "<script>secret</script>" }));
  expect(image.type).toBe("image/png");
  expect(Buffer.from(image.data).toString("latin1")).not.toMatch(/secret|tEXt/);
  const pixels = Buffer.from(image.data);
  const at = pixels.indexOf("IDAT");
  expect(inflateSync(pixels.subarray(at + 4, at + 4 + pixels.readUInt32BE(at - 4)))).toHaveLength(15);
  expect(cleaned(pixels).data).toEqual(image.data);
});

test("what is no picture, broken, or would become huge is refused", () => {
  expect(cleanLogo(Buffer.from("<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>"))).toBe("logo_unreadable");
  expect(cleanLogo(Buffer.from("GIF89a"))).toBe("logo_unreadable");
  expect(cleanLogo(new Uint8Array(0))).toBe("logo_unreadable");
  expect(cleanLogo(Buffer.concat([png(), Buffer.alloc(MAX_LOGO_BYTES)]))).toBe("logo_large");
  // Small file with many pixels.
  expect(cleanLogo(png({ width: 60_000, height: 60_000, pixels: Buffer.alloc(10) }))).toBe("logo_large");
  expect(cleanLogo(png({ pixels: Buffer.alloc(50_000_000) }))).toBe("logo_unreadable");
  expect(cleanLogo(png({ pixels: Buffer.alloc(3) }))).toBe("logo_unreadable");
  expect(cleanLogo(Buffer.from("ffd8ffe000104a464946", "hex"))).toBe("logo_jpeg");
  const file = png();
  for (let length = 0; length < file.length; length += 1) expect(cleanLogo(file.subarray(0, length)), String(length)).toBe("logo_unreadable");
  const flipped = png();
  flipped[30] = (flipped[30] ?? 0) ^ 1;
  expect(cleanLogo(flipped)).toBe("logo_unreadable");
});

test("text on any colour can be read", () => {
  for (let value = 0; value < 0x1000000; value += 0x1357) {
    const color = `#${value.toString(16).padStart(6, "0")}`;
    const [text, background] = [parseHex(textColorOn(color)), parseHex(color)];
    expect(text && background && contrastRatio(text, background), color).toBeGreaterThanOrEqual(4.5);
  }
});

test("a cover is kept, shown while the plan includes it, and belongs to one account", async () => {
  const db = await freshDatabase();
  await addUsers(db, "ada", "eve");
  let isIncluded = true;
  const covers = createReportCovers({ db, scanRequests: { mayHaveOwnCover: async () => isIncluded } });
  const logo = cleaned(png());
  await covers.save("ada", { name: "Ada", color: "#112233" }, logo);
  const saved = { name: "Ada", color: "#112233", logo: `data:image/png;base64,${Buffer.from(logo.data).toString("base64")}` };
  expect(await covers.shownFor("ada")).toEqual(saved);
  expect(await covers.shownFor("eve")).toBeNull();
  expect(await covers.shownFor(null)).toBeNull();
  await covers.save("ada", { name: "Ada & Co", color: "#445566" }, undefined);
  expect(await covers.of("ada")).toEqual({ ...saved, name: "Ada & Co", color: "#445566" });
  isIncluded = false;
  expect(await covers.shownFor("ada")).toBeNull();
  await covers.save("ada", { name: "Ada", color: "#112233" }, null);
  expect((await covers.of("ada"))?.logo).toBeNull();
  await covers.remove("ada");
  expect(await covers.of("ada")).toBeNull();
  await covers.save("ada", { name: "Ada", color: "#112233" }, logo);
  await db.deleteFrom("user").where("id", "=", "ada").execute();
  expect(await covers.of("ada")).toBeNull();
});
