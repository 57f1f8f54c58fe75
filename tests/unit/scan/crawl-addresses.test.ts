import { describe, expect, test } from "vitest";
import { pageKey, partsOf, siteOf, visitAddress } from "~/scan/crawl/addresses/address";
import { looksLikePage } from "~/scan/crawl/addresses/looks-like-page";
import { templateOf } from "~/scan/crawl/addresses/page-kind";
import { isExcludedBy } from "~/scan/crawl/addresses/path-pattern";

const KEY = pageKey("https://example.com/shop/shoes?size=42&colour=red");

describe("all addresses of one page have the same key", () => {
  test.each([
    "http://example.com/shop/shoes?size=42&colour=red",
    "https://www.example.com/shop/shoes?size=42&colour=red",
    "https://WWW.EXAMPLE.COM:443/shop/shoes?size=42&colour=red",
    "http://example.com:80/shop/shoes?size=42&colour=red",
    "https://example.com./shop/shoes?size=42&colour=red",
    "https://example.com/shop/shoes/?size=42&colour=red",
    "https://example.com//shop///shoes?size=42&colour=red",
    "https://example.com/shop/./x/../shoes?size=42&colour=red",
    "https://example.com/shop/shoes?colour=red&size=42",
    "https://example.com/shop/shoes?&colour=red&&size=42&",
    "https://example.com/shop/shoes?size=42&colour=red#reviews",
    "https://example.com/%73hop/sho%65s?size=42&colour=%72ed",
    "https://example.com/shop/shoes/index.html?size=42&colour=red",
    "https://example.com/shop/shoes/Index.php?size=42&colour=red",
    "https://example.com/shop/shoes/default.aspx?size=42&colour=red",
    "https://example.com/shop/shoes?utm_source=mail&size=42&utm_medium=x&colour=red&fbclid=IwAR0",
    "https://example.com/shop/shoes?size=42&colour=red&gclid=a&_ga=2.1&mc_cid=b&pk_campaign=c&hsa_acc=1",
    "https://example.com/shop/shoes;jsessionid=0A1B2C.node1?size=42&colour=red",
    "https://example.com/(S(lit3py55t21z5v55vlm25s55))/shop/shoes?size=42&colour=red",
    "https://example.com/shop/shoes?PHPSESSID=d41d8cd98f00b204&size=42&colour=red",
    "https://example.com/shop/shoes?sid=d41d8cd98f00b204e9800998&size=42&colour=red",
    "https://example.com/shop/shoes?size=42&colour=red&sort=price",
    "https://example.com/shop/shoes?size=42&colour=red&sort_by=name&order=desc",
    "https://example.com/shop/shoes?size=42&colour=red&list%5Bsort-by%5D=name&dir=asc",
    "https://example.com/shop/shoes?size=42&colour=red&C=M;O=A",
    "https://example.com/shop/shoes?size=42&colour=red&add-to-cart=17",
    "https://example.com/shop/shoes?size=42&colour=red&_=1716800000000",
    "https://example.com/shop/shoes?size=42&colour=red&returnTo=%2Fbasket",
    "https://user:secret@example.com/shop/shoes?size=42&colour=red",
  ])("%s", (url) => expect(pageKey(url)).toBe(KEY));

  test.each([
    ["https://example.com", "https://www.example.com/index.html?"],
    ["https://example.com/a?q=b%20c", "https://example.com/a?q=b+c"],
    ["https://example.com/x/..;jsessionid=1/a", "https://example.com/a"],
    ["https://example.com/a?f%5Bx%5D=1", "https://example.com/a?f[x]=1"],
    ["https://example.com/a?q=x%2Cy", "https://example.com/a?q=x,y"],
    ["https://example.com/a?flag", "https://example.com/a?flag="],
    ["https://example.com/ü/ß", "https://example.com/%c3%bc/%C3%9F"],
    ["https://bücher.example/", "https://xn--bcher-kva.example"],
    ["https://example.com/a%7eb", "https://example.com/a~b"],
    ["https://example.com/a|b", "https://example.com/a%7Cb"],
    ["https://example.com/a?q=%fc", "https://example.com/a?q=%FC"],
    ["https://example.com/?", "https://example.com/"],
  ])("%s is %s", (one, other) => expect(pageKey(one)).toBe(pageKey(other)));
});

describe("different pages have different keys", () => {
  test.each([
    ["https://example.com/a", "https://example.com/A"],
    ["https://example.com/a", "https://shop.example.com/a"],
    ["https://example.com/a", "https://example.com:8443/a"],
    ["https://example.com/a?id=1", "https://example.com/a?id=2"],
    ["https://example.com/a?id=1", "https://example.com/a?ID=1"],
    ["https://example.com/a?page=2", "https://example.com/a"],
    ["https://example.com/a?lang=de", "https://example.com/a"],
    ["https://example.com/a?sid=12", "https://example.com/a?sid=13"],
    ["https://example.com/a?s=shoes", "https://example.com/a"],
    ["https://example.com/a?order=1017", "https://example.com/a?order=1018"],
    ["https://example.com/a?dir=docs", "https://example.com/a?dir=images"],
    ["https://example.com/a?t=1234567", "https://example.com/a?t=1234568"],
    ["https://example.com/a?pkgid=1&verordnung=2&utmost=3", "https://example.com/a"],
    ["https://example.com/a?next=2", "https://example.com/a?next=3"],
    ["https://example.com/a%2Fb", "https://example.com/a/b"],
    ["https://example.com/a?x=1%262", "https://example.com/a?x=1&2"],
    ["https://example.com/index.html/a", "https://example.com/a"],
    ["https://example.com/index-of-prices", "https://example.com/"],
    ["https://www.com/", "https://com/"],
  ])("%s is not %s", (one, other) => expect(pageKey(one)).not.toBe(pageKey(other)));
});

describe("a page is visited by the address that was linked", () => {
  test.each([
    ["http://www.example.com/a/?b=2&a=1&sort=x", "http://www.example.com/a/?b=2&a=1&sort=x"],
    ["https://example.com/a/index.html#part", "https://example.com/a/index.html"],
    ["https://example.com/a?q=b+c&f[x]=%2c", "https://example.com/a?q=b+c&f[x]=%2c"],
  ])("%s", (url, visited) => expect(visitAddress(url)).toBe(visited));

  test.each([
    ["https://example.com/a?utm_source=x&q=b+c&f[x]=%2c", "https://example.com/a?q=b+c&f[x]=%2c"],
    ["https://example.com/a?utm_source=x", "https://example.com/a"],
    ["https://example.com/a?", "https://example.com/a"],
    ["https://example.com/a;jsessionid=AB12?q=1", "https://example.com/a?q=1"],
    ["https://example.com/x/..;jsessionid=1/a", "https://example.com/a"],
    ["https://example.com/(S(lit3py55t21z5v55vlm25s55))/a.aspx", "https://example.com/a.aspx"],
    ["https://example.com/shop?add-to-cart=12&p=2", "https://example.com/shop?p=2"],
    ["https://user:secret@example.com/a", "https://example.com/a"],
  ])("without tracking parameters, session ids and credentials: %s", (url, visited) => expect(visitAddress(url)).toBe(visited));
});

describe("a site is one host and one port", () => {
  const site = siteOf("https://www.example.com/start?x=1");

  test.each([
    "https://www.example.com/",
    "https://example.com/a",
    "http://example.com/a",
    "http://www.example.com:80/",
    "https://EXAMPLE.com:443/a#b",
    "https://example.com./",
  ])("%s belongs to the site", (url) => expect(site.includes(url)).toBe(true));

  test.each([
    "https://shop.example.com/",
    "https://www2.example.com/",
    "https://example.com.evil.test/",
    "https://example.org/",
    "https://example.com:8443/",
    "http://example.com:443/",
    "ftp://example.com/",
    "mailto:a@example.com",
    "javascript:void(0)",
    "/a",
    "",
  ])("%s does not belong to the site", (url) => expect(site.includes(url)).toBe(false));

  test("a site with its own port has only that port", () => {
    const own = siteOf("http://127.0.0.1:8080/");
    expect(own.includes("http://127.0.0.1:8080/a")).toBe(true);
    expect(own.includes("http://127.0.0.1/a")).toBe(false);
    expect(own.includes("http://localhost:8080/a")).toBe(false);
  });
});

describe("files that are not pages are recognised by their extensions", () => {
  test.each(["/report.pdf", "/A.PDF", "/photo.jpeg?w=2", "/x.tar.gz", "/m.mp4", "/feed.xml", "/style.css", "/a.docx;v=1"])(
    "%s is not a page",
    (path) => expect(looksLikePage(`https://example.com${path}`)).toBe(false),
  );

  test.each([
    "/",
    "/report",
    "/report.html",
    "/report.php?file=a.pdf",
    "/a.aspx",
    "/report.pdf/",
    "/v1.2",
    "/.pdf",
    "/example.com",
    "/wiki/File:Tree.jpg",
    "/wiki/Datei%3ABaum.jpg",
    "/photo.jpg.html",
    "/pdf",
  ])("%s may be a page", (path) => expect(looksLikePage(`https://example.com${path}`)).toBe(true));
});

test.each([
  ["/", "/"],
  ["/index.html", "/"],
  ["/about", "/about"],
  ["/contact.html", "/contact.html"],
  ["/about/team", "/about/*"],
  ["/blog/2024/05/some-title", "/blog/#/#/*"],
  ["/blog/2023/11/another-one", "/blog/#/#/*"],
  ["/blog/2024-05-01", "/blog/#"],
  ["/blog/page/3", "/blog/page/#"],
  ["/blog/page-3", "/blog/page-#"],
  ["/products/item-number-17", "/products/*"],
  ["/products/4711.html", "/products/#.html"],
  ["/products/red-shoes-for-men/reviews", "/products/*/*"],
  ["/my-first-post-of-today", "/*"],
  ["/part-1/page-17", "/part-#/page-#"],
  ["/u/3f2504e0-4f89-11d3-9a0c-0305e82c3301/edit", "/u/*/*"],
  ["/index.php?id=17", "/?id"],
  ["/shop/shoes?size=42&colour=red&sort=x", "/shop/*?colour&size"],
  ["/a?f[]=1&f[]=2", "/a?f[]"],
])("%s has the template %s", (path, template) => expect(templateOf(partsOf(`https://example.com${path}`))).toBe(template));

describe("excluded paths", () => {
  test.each([
    ["/shop", ["/shop", "/shop/", "/shop/a", "/shop?page=2"], ["/shopping", "/Shop", "/my/shop", "/"]],
    ["/shop/", ["/shop", "/shop/", "/shop/a"], ["/shopping"]],
    ["shop", ["/shop/a"], ["/shopping"]],
    ["/über uns", ["/%C3%BCber%20uns", "/%c3%bcber%20uns/team"], ["/uber"]],
    ["/%C3%BCber", ["/über/x"], ["/ueber"]],
    ["/*/print", ["/de/print", "/de/a/print/2", "/de/printer/print"], ["/print", "/de/printer"]],
    ["/archive*", ["/archive", "/archives/2020", "/archive-2"], ["/arch"]],
    ["/list?page=", ["/list?page=/x"], ["/list?page=2", "/list"]],
    ["/list?*page=*", ["/list?page=2", "/list?a=b&page=2"], ["/list"]],
    ["/a*b*c", ["/a1b2c", "/abbc/d"], ["/acb", "/a1b2cd"]],
    ["/a.b", ["/a.b/c"], ["/aXb"]],
    ["/50%", ["/50%/x"], ["/50"]],
    ["", [], ["/", "/a"]],
    ["/", [], ["/", "/a"]],
  ])("%j", (prefix, excluded, kept) => {
    const isExcluded = isExcludedBy([prefix]);
    const paths = [...excluded, ...kept].filter((path) => isExcluded(`https://example.com${path}`));
    expect(paths).toEqual(excluded);
  });

  test("one matching prefix is enough, on any host and with any fragment", () => {
    const isExcluded = isExcludedBy(["/a", "/b"]);
    expect(isExcluded("http://www.example.com:8080/b#part")).toBe(true);
    expect(isExcludedBy([])("https://example.com/a")).toBe(false);
  });

  test("no pattern takes long to match", { timeout: 1_000 }, () => {
    const isExcluded = isExcludedBy([`/${"*a".repeat(500)}`]);
    expect(isExcluded(`https://example.com/${"a".repeat(2_000)}b`)).toBe(false);
  });
});
