import { describe, expect, test } from "vitest";
import { textFragment } from "~/findings/text-fragment";

const PAGE = "https://shop.example/seite?x=1";
const open = (html: string, url = PAGE) => textFragment(url, html).slice(PAGE.length);

describe("a link that opens a page at an element", () => {
  test.each([
    ["its text", '<p class="faint">Lieferung frei Haus</p>', "#:~:text=Lieferung%20frei%20Haus"],
    ["the beginning of a long text", `<p>${"eins zwei ".repeat(20)}</p>`, "#:~:text=eins%20zwei%20eins%20zwei%20eins%20zwei%20eins%20zwei"],
    ["the text inside it", "<a href=\"/x\">\n  <b>Zum</b>\n  Angebot </a>", "#:~:text=Zum%20Angebot"],
    ["hyphens, commas and ampersands, encoded", "<p>E-Mail, SMS - los</p>", "#:~:text=E%2DMail%2C%20SMS%20%2D%20los"],
    ["the text up to an entity", "<p>Alles über Haus &amp; Garten</p>", "#:~:text=Alles%20%C3%BCber%20Haus"],
    ["its id, if there is no text", '<input type="text" id="such feld">', ""],
    ["its id, if its text is a single word", '<button class="b" id="kauf&lt;en">Kaufen</button>', "#kauf%26lt%3Ben"],
    ["its own id, not another attribute or an inner element's id", '<span data-id="x"><i id="inner"></i></span>', ""],
  ])("uses %s", (_what, html, fragment) => {
    expect(open(html)).toBe(fragment);
  });

  test("is the plain address without text or id", () => {
    for (const html of ["", "<img>", "<", "plain", "<p>Wort</p>", '<img id="">']) expect(open(html), html).toBe("");
  });

  test("replaces an existing fragment", () => {
    expect(textFragment("https://shop.example/#oben", "<p>frei Haus</p>")).toBe("https://shop.example/#:~:text=frei%20Haus");
    expect(textFragment("https://shop.example/#oben", "<img>")).toBe("https://shop.example/");
  });

  test("stays a valid address for any content", () => {
    for (const text of ['"><script>alert(1)</script> zwei', "a&text=b c", "eins\uD800 zwei", "javascript:alert(1) zwei", "a#b c%0d%0aSet-Cookie:x"]) {
      const address = textFragment(PAGE, `<p>${text}</p>`);
      expect(address.startsWith(PAGE), text).toBe(true);
      expect(address.slice(PAGE.length), text).toMatch(/^(#:~:text=[\w.~!*'()%]+)?$/);
      expect(new URL(address).search, text).toBe("?x=1");
    }
  });
});
