import { expect, test } from "vitest";
import { fromMetadata, orderMetadata, toMetadata } from "~/billing/websites/url-list";

const urls = (count: number) => Array.from({ length: count }, (_, index) => `https://site-${index}.example/`);

test("a list is one value with commas", () => {
  expect(toMetadata(["https://a.example/", "https://b.example/"])).toEqual({ urls: "https://a.example/,https://b.example/" });
  expect(toMetadata([])).toEqual({ urls: "" });
});

test("a long list continues under further keys, each within the provider's limit", () => {
  const metadata = toMetadata(urls(100));
  expect(Object.keys(metadata).slice(0, 3)).toEqual(["urls", "urls_2", "urls_3"]);
  for (const value of Object.values(metadata)) expect(value.length).toBeLessThanOrEqual(500);
  expect(fromMetadata(metadata)).toEqual(urls(100));
});

test("keys of an earlier, longer list are emptied, and others stay unchanged", () => {
  const before = [...Object.keys(toMetadata(urls(100))), "order"];
  const metadata = toMetadata(urls(1), before);
  expect(metadata).toMatchObject({ urls: "https://site-0.example/", urls_2: "", urls_5: "" });
  expect(metadata).not.toHaveProperty("order");
  expect(fromMetadata(metadata)).toEqual(urls(1));
});

test("the tenth part comes after the second", () => {
  expect(fromMetadata({ urls_10: "https://j.example/", urls_2: "https://b.example/", urls: "https://a.example/" })).toEqual([
    "https://a.example/",
    "https://b.example/",
    "https://j.example/",
  ]);
});

test("values typed by hand are read too", () => {
  expect(fromMetadata({ urls: " https://a.example/ ,, https://b.example/", urlsx: "no" })).toEqual([
    "https://a.example/",
    "https://b.example/",
  ]);
});

test("an address that is too long for the provider, or has commas, still names its website", () => {
  const long = `https://a.example/?q=${"x".repeat(600)}`;
  expect(orderMetadata("o1", long)).toEqual({ order: "o1", url: "https://a.example" });
  expect(fromMetadata(toMetadata([long, "https://b.example/1,2"]))).toEqual(["https://a.example", "https://b.example/1%2C2"]);
});
