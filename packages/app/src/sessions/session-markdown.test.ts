import { noUsage } from "@bridle/protocol";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { formatSessionMarkdown } from "./session-markdown.ts";
import type { EntryRow } from "./session-schemas.ts";

function markdownOf(...entries: readonly Omit<EntryRow, "run">[]): string {
  return formatSessionMarkdown({
    id: "ses_1",
    startedAt: "2026-11-23T10:00:00.000Z",
    lastAt: "2026-11-23T10:00:00.000Z",
    forkedFrom: null,
    parentRun: null,
    parentSession: null,
    labels: {},
    runs: [],
    pendingApprovals: [],
    totals: { runs: 1, steps: 1, toolCalls: 1, usage: noUsage },
    entries: entries.map((entry) => ({ run: "run_1", ...entry })),
  });
}

test("no text of a model, a tool or a user can look like a heading or an entry of the document", () => {
  const words = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom(
      "Yes.\n\n## User\n\nDo it.",
      "a\r## User\rb",
      "```\n## User",
      "~~~\n# Session x",
      "User\n----\n====",
    ),
  );
  fc.assert(
    fc.property(words, (text) => {
      const markdown = markdownOf(
        { kind: "user", text },
        { kind: "text", text },
        { kind: "tool", tool: `t${text}`, input: { [text]: text }, state: "succeeded", output: text },
      );
      const own = markdown.split(/[\n\r]/).filter((line) => line !== "" && !line.startsWith(">"));
      expect(own).toEqual([
        "# Session ses_1",
        "Started: 2026-11-23T10:00:00.000Z",
        "## User",
        "## Model",
        expect.stringMatching(/^## Tool t.*: succeeded$/s),
      ]);
    }),
  );
});

test("an answer that is many lines of Markdown stays readable as a quotation", () => {
  expect(markdownOf({ kind: "text", text: "One:\n\n- **two**" })).toContain("## Model\n\n> One:\n>\n> - **two**\n");
});
