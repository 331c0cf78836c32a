import { expect, test } from "vitest";
import { parseDocument } from "./parse-document.ts";

test("generated Markdown is split at its headings, except in code, and keeps all lines", async () => {
  const line = "word ".repeat(900_000).trim();
  const text = `# One\n## Two\nText.\n\n~~~\n# no heading\n\n# nor this\n~~~\n\n### Three\n\n${line}\n`;
  const blocks = await parseDocument({ name: "a.md", bytes: new TextEncoder().encode(text) });
  expect(
    blocks.map(({ kind, depth, lines, text: each }) => [kind, depth, lines?.from, lines?.to, each.slice(0, 12)]),
  ).toEqual([
    ["heading", 1, 1, 1, "# One"],
    ["heading", 2, 2, 2, "## Two"],
    ["paragraph", undefined, 3, 3, "Text."],
    ["paragraph", undefined, 5, 6, "~~~\n# no hea"],
    ["paragraph", undefined, 8, 9, "# nor this\n~"],
    ["heading", 3, 11, 11, "### Three"],
    ["paragraph", undefined, 13, 13, "word word wo"],
  ]);
  expect(blocks.at(-1)?.text).toBe(line);
});
