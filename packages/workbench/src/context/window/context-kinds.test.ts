import { expect, test } from "vitest";
import {
  type ContextPart,
  charactersOf,
  formatWindowShare,
  groupByKind,
  labelOf,
  mapEntries,
} from "./context-kinds.ts";

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

test("shares are those of the characters, however few tokens there are, and their sum is 100%", () => {
  // Three parts of a third of a token each: the server reports 1, 0 and 0.
  const thirds = [1, 0, 0].map((tokens) => part("prompt", tokens, { characters: 10 }));
  const [thirdsGroup] = groupByKind(thirds);
  expect(thirdsGroup?.parts.map((each) => formatWindowShare(each, 30))).toEqual(["33.4%", "33.3%", "33.3%"]);
  expect(thirdsGroup && formatWindowShare(thirdsGroup, 30)).toBe("100%");

  const kinds = ["prompt", "tool", "call", "result", "file", "answer", "schema"] as const;
  for (const size of [1, 2, 3, 7, 60, 700]) {
    const parts = Array.from({ length: size }, (_, index) =>
      part(kinds[(index * index) % 7] ?? "tool", 0, { characters: 1 + ((index * 7919) % 1000) }),
    );
    const groups = groupByKind(parts);
    const sum = (shares: readonly { readonly share: number }[]) => shares.reduce((all, { share }) => all + share, 0);
    expect(sum(groups), String(size)).toBe(1000);
    const total = charactersOf(parts);
    for (const group of groups) {
      expect(sum(group.parts)).toBe(group.share);
      expect(sum(mapEntries(group, total))).toBe(group.share);
      expect(Math.abs(group.share - (1000 * group.characters) / total)).toBeLessThan(1);
    }
  }
});

test("a part that is there is not 0%, and one of several is not 100%", () => {
  const [large, small] = groupByKind([
    part("result", 1_000, { characters: 1_000_000 }),
    part("prompt", 0, { characters: 9 }),
  ]);
  expect(large && formatWindowShare(large, 1_000_009)).toBe("over 99.9%");
  expect(small && formatWindowShare(small, 1_000_009)).toBe("under 0.1%");
  expect(groupByKind([part("file", 0)])[0]?.share).toBe(0);
});

test("the small parts of a kind are one box of the map", () => {
  const parts = [part("result", 9_000, { name: "lookup" }), ...Array.from({ length: 300 }, () => part("result", 3))];
  const [group] = groupByKind(parts);
  expect(group && mapEntries(group, 4 * 9_900)).toMatchObject([
    { label: "lookup", tokens: 9_000 },
    { label: "300 small parts of Results", tokens: 900 },
  ]);
  const many = groupByKind(Array.from({ length: 100 }, () => part("call", 10)))[0];
  expect(many && mapEntries(many, 4_000)).toHaveLength(41);
  const none = groupByKind([part("file", 0)])[0];
  expect(none && mapEntries(none, 40)).toEqual([]);
});

test("a part is named by its tool or file, and by its message from 1", () => {
  expect(labelOf(part("instructions", 1))).toBe("instructions");
  expect(labelOf(part("prompt", 1, { message: 0 }))).toBe("prompt, message 1");
  expect(labelOf(part("result", 1, { name: "look\u202eup", message: 4 }))).toBe("look\\u{202e}up, message 5");
});
