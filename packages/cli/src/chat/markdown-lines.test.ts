import { expect, test } from "vitest";
import { markdownLines } from "./markdown-lines.ts";
import { createStyle } from "./style.ts";

const { markdown } = createStyle((_colour, text) => text);
const render = (text: string) => markdownLines(text, 80, markdown);

test("Markdown of a usual answer is rendered", () => {
  expect(render("# Title\n\nSome **bold** words.\n\n- one\n- two")).not.toContain("Some **bold** words.");
  expect(render("| a | b |\n| - | - |\n| 1 | 2 |").join("\n")).toContain("─");
});

test("a long list with emphasis in each item is rendered", () => {
  expect(render("- some **bold** words\n".repeat(500)).join("\n")).not.toContain("**");
});

test.each([
  ["emphasis that never closes", "*a _b "],
  ["emphasis on many lines", "*a _b\n"],
  ["emphasis in a quote", "> *a _b\n"],
  ["JSON", '{"a":[1,2,{"b":"c_d*e"}],"f":"http://x.y"},'],
  ["brackets", "["],
  ["links", "[a](b) "],
  ["levels of quotes", "> "],
  ["levels of lists", "- "],
])("%s in a text of 300,000 characters is shown as it is", (_what, part) => {
  const text = part.repeat(300_000 / part.length);
  expect(render(text).join("").replaceAll(/\s/g, "")).toBe(text.replaceAll(/\s/g, ""));
});
