import { expect, test } from "vitest";
import { sumByKind } from "./context-kinds.ts";

test("parts of the window are summed by kind, the largest first, and empty kinds are left out", () => {
  const part = (kind: "tool" | "prompt" | "file", tokens: number) => ({
    kind,
    name: null,
    message: null,
    characters: 0,
    tokens,
  });
  expect(sumByKind([part("prompt", 5), part("tool", 4), part("tool", 3), part("file", 0)])).toEqual([
    { kind: "tool", words: "Tools", tokens: 7 },
    { kind: "prompt", words: "Prompts", tokens: 5 },
  ]);
});
