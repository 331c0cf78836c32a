import * as fc from "fast-check";
import { expect, test } from "vitest";
import { highlightLines } from "./highlight.ts";

const marked = (colour: string, text: string) => `<${colour}>${text}</>`;

test("code has the colours of its language, line by line", () => {
  expect(highlightLines("/* one\ntwo */\nconst a = 'b';", "ts", marked)).toEqual([
    "<dim>/* one</>",
    "<dim>two */</>",
    "<cyan>const</> a = <green>'b'</>;",
  ]);
});

test("code without a known language, and very long code, has no colours", () => {
  expect(highlightLines("const a", undefined, marked)).toEqual(["const a"]);
  expect(highlightLines("const a", "klingon", marked)).toEqual(["const a"]);
  expect(highlightLines("const a;".repeat(5000), "ts", marked)).toEqual(["const a;".repeat(5000)]);
});

test("colours never change the text, whatever the code is", () => {
  const languages = fc.constantFrom("ts", "python", "sql", "json", "yaml", "xml", "bash", "diff", "markdown", "cpp");
  const plain = (_colour: string, text: string) => text;
  const property = fc.property(fc.string({ unit: "binary", maxLength: 400 }), languages, (code, language) => {
    expect(highlightLines(code, language, plain).join("\n")).toBe(code);
  });
  fc.assert(property, { numRuns: 200 });
});
