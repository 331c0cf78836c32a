import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..", "packages");

/** Lists the source files below a folder. */
function* sourcesIn(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !["node_modules", "dist"].includes(entry.name)) yield* sourcesIn(path);
    else if (/\.tsx?$/.test(entry.name) && !/\.test\.tsx?$/.test(entry.name)) yield path;
  }
}

const group = /\\b\(\?:((?:[^()\\/\n]|\\.)*)\)\\b/g;

/**
 * Finds alternatives between word boundaries that can never match, because they begin or end with a character that has no boundary next to
 * a blank.
 */
function deadAlternatives(code: string): readonly string[] {
  return Array.from(code.matchAll(group)).flatMap(([, inner = ""]) =>
    inner.split("|").filter((each) => /^[,;:!?'"% -]|(?<!\\)[,;:!"%]$/.test(each)),
  );
}

test("no alternative between word boundaries ends with a character that is no part of a word", () => {
  expect(deadAlternatives(String.raw`/\b(?:actually|no,|not quite)\b/`)).toEqual(["no,"]);
  expect(deadAlternatives(String.raw`/\b(?:actually|no|not quite)\b/`)).toEqual([]);
  const found = [...sourcesIn(root)].flatMap((file) =>
    deadAlternatives(readFileSync(file, "utf8")).map((each) => `${file.slice(root.length + 1)}: ${each}`),
  );
  expect(found).toEqual([]);
});
