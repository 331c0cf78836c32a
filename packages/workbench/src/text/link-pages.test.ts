import { expect, test } from "vitest";
import { linkPages } from "./link-pages.ts";
import { parseMarkdown } from "./parse-markdown.ts";

const linked = (text: string) =>
  [
    ...JSON.stringify(linkPages(parseMarkdown(text), text, (page) => `/${page}`)).matchAll(
      /"url":"\\u0000([^"]*)","children":\[\{"type":"text","value":"([^"]*)"/g,
    ),
  ].map(([, page, words]) => `${page} ${words}`);

test("names of pages in double brackets are links, also with words, a section, and in lists and tables", () => {
  expect(linked("See [[fares]], [[fares|the fares]] and [[fares#Gross fare]].")).toEqual([
    "/fares fares",
    "/fares the fares",
    "/fares fares › Gross fare",
  ]);
  expect(linked("- **[[a]]**\n\n| t |\n| - |\n| [[b\\|c]] |\n")).toEqual(["/a a", "/b c"]);
});

test("brackets in code, in other links and after a backslash are text", () => {
  expect(linked("`[[a]]` and \\[\\[b\\]\\] and [x [[c]]](https://example.org)\n\n```\n[[d]]\n```\n")).toEqual([]);
  expect(linked("[a](\0/b) [c](&#0;/d)")).toEqual([]);
});
