import { structuredPatch } from "diff";

/** The maximum number of edits. With more, finding the shortest difference takes long, and nobody would read the result. */
const maxEdits = 1_000;

/**
 * Returns the unified diff of two lists of lines: ` `, `-` or `+` before each line, `context` lines around changes, and a line such as `@@
 * -1,4 +1,5 @@` before each part. Empty if the lists are equal.
 */
export function unifiedLines(before: readonly string[], after: readonly string[], context = 3): string[] {
  const options = { context, maxEditLength: maxEdits };
  const patch = structuredPatch("", "", textOf(before), textOf(after), undefined, undefined, options);
  if (patch === undefined) return replaced(before, after);
  return patch.hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
    ...lines,
  ]);
}

function replaced(before: readonly string[], after: readonly string[]): string[] {
  const head = `@@ -1,${before.length} +1,${after.length} @@`;
  return [head, ...before.map((line) => `-${line}`), ...after.map((line) => `+${line}`)];
}

function textOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}
