import { expect, test } from "vitest";
import { type ContextPart, groupByKind, labelOf, mapEntries } from "./context-kinds.ts";

const part = (kind: ContextPart["kind"], tokens: number, more: Partial<ContextPart> = {}): ContextPart => ({
  kind,
  tokens,
  name: null,
  message: null,
  characters: tokens * 4,
  ...more,
});

test("parts of the window are grouped by kind, the largest first, and keep their places", () => {
  const groups = groupByKind([part("prompt", 5), part("tool", 3), part("tool", 4), part("file", 0)]);
  expect(groups.map(({ kind, title, tokens }) => [kind, title, tokens])).toEqual([
    ["tool", "Tools", 7],
    ["prompt", "Prompts", 5],
    ["file", "Files", 0],
  ]);
  expect(groups[0]?.parts.map(({ index }) => index)).toEqual([2, 1]);
});

test("the small parts of a kind are one box of the map", () => {
  const parts = [part("result", 9_000, { name: "lookup" }), ...Array.from({ length: 300 }, () => part("result", 3))];
  const [group] = groupByKind(parts);
  expect(group && mapEntries(group, 9_900)).toMatchObject([
    { label: "lookup", tokens: 9_000 },
    { label: "300 small parts of Results", tokens: 900 },
  ]);
  const many = groupByKind(Array.from({ length: 100 }, () => part("call", 10)))[0];
  expect(many && mapEntries(many, 1_000)).toHaveLength(41);
  const none = groupByKind([part("file", 0)])[0];
  expect(none && mapEntries(none, 10)).toEqual([]);
});

test("a part is named by its tool or file, and by its message from 1", () => {
  expect(labelOf(part("instructions", 1))).toBe("instructions");
  expect(labelOf(part("prompt", 1, { message: 0 }))).toBe("prompt, message 1");
  expect(labelOf(part("result", 1, { name: "look\u202eup", message: 4 }))).toBe("look\\u{202e}up, message 5");
});
