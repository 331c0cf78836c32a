import fc from "fast-check";
import { expect, test } from "vitest";
import type { RehearsedConversation } from "./conversation.ts";
import { asLiteral, fillText, fillValue } from "./template.ts";

const conversation: RehearsedConversation = {
  id: "c",
  system: "",
  user: "",
  turn: 1,
  answers: [],
  offered: [],
  results: [
    { tool: "mcp__bridle__look", text: "old" },
    { tool: "mcp__bridle__look", text: '{"items":[{"name":"bolt","count":3}],"note":null}' },
    { tool: "plain", text: "just words" },
  ],
};
const fill = (text: string) => fillText(text, conversation);

test("a template becomes the text of the tool's newest result", () => {
  expect(fill("Said: {{ plain.result }}, {{plain.result}}!")).toBe("Said: just words, just words!");
});

test("a path selects a value in a JSON result", () => {
  expect(fill("{{ look.result.items.0.name }} {{ look.result.items.0 }}")).toBe('bolt {"name":"bolt","count":3}');
});

test("a string that is only a template with a path keeps the type of the value", () => {
  const value = {
    n: "{{ look.result.items.0.count }}",
    list: ["{{ look.result.note }}"],
    text: "n: {{ look.result.items.0.count }}",
  };
  expect(fillValue(value, conversation)).toEqual({ n: 3, list: [null], text: "n: 3" });
});

test("other double braces stay unchanged", () => {
  expect(fill("{{ name }} and {{#each}} and {{}}")).toBe("{{ name }} and {{#each}} and {{}}");
});

test.each([
  ["{{ find.result }}", 'names the result of "find", but that tool was not called'],
  ["{{ plain.result.x }}", 'needs the result of "plain" as JSON, but it is not JSON: just words'],
  ["{{ look.result.items.1 }}", 'needs "1" in a result that does not have it: [{"name":"bolt","count":3}]'],
  ["{{ look.result.note.x }}", 'needs "x" in a result that does not have it: null'],
])("%s fails with its reason", (text, reason) => {
  expect(() => fill(text)).toThrow(reason);
});

test("two braces in quotes become two braces, and escape a template", () => {
  expect(fill('{{ "{{" }} plain.result }} is {{ plain.result }}')).toBe("{{ plain.result }} is just words");
  expect(fillValue('{{ "{{" }}', conversation)).toBe("{{");
});

test("an escaped text is played unchanged", () => {
  const pieces = fc.constantFrom("{", "}", "{{", "}}", '"', " ", "plain.result", "look.result.note", "x");
  fc.assert(
    fc.property(fc.array(pieces), (parts) => {
      const text = parts.join("");
      expect(fill(asLiteral(text))).toBe(text);
      expect(fillValue(asLiteral(text), conversation)).toBe(text);
    }),
    { numRuns: 5000 },
  );
});

test.each([
  ["paths without an end", "{{ plain", ".result", " "],
  ["opened braces", "", "{{", ""],
  ["blanks in braces", "{{", " ", "x"],
])("a megabyte of %s is no template", (_what, begin, unit, end) => {
  const text = `${begin}${unit.repeat(1_000_000 / unit.length)}${end}`;
  expect(fill(`${text} {{ plain.result }}`)).toBe(`${text} just words`);
});

test("the name of the tool ends before the first path that is whole", () => {
  expect(() => fill("{{ a.result..result.b }}")).toThrow('names the result of "a.result."');
  expect(fill("{{ a.result. }}{{ .result }}{{ a.result.. }}")).toBe("{{ a.result. }}{{ .result }}{{ a.result.. }}");
});
