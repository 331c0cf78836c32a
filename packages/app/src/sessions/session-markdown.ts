import { showHiddenInDocument } from "@bridle/protocol";
import { codeBlock } from "../bundles/texts/code-fence.ts";
import type { EntryRow, SessionView } from "./session-schemas.ts";

/** A session as a Markdown document for people: what was said, and the calls with their results. */
export function formatSessionMarkdown({ id, startedAt, entries }: SessionView): string {
  const sections = entries.map(formatEntry).filter((section) => section !== "");
  return `${[`# Session ${id}`, `Started: ${startedAt}`, ...sections].join("\n\n")}\n`;
}

function formatEntry({ kind, text = "", tool, input, state, output, reason, messages }: EntryRow): string {
  switch (kind) {
    case "user":
      return `## User\n\n${showHiddenInDocument(text).trim()}`;
    case "text":
      return `## Model\n\n${showHiddenInDocument(text).trim()}`;
    case "reasoning":
      return "";
    case "tool": {
      const given = codeBlock(showHiddenInDocument(JSON.stringify(input, undefined, 2) ?? ""));
      const result = output === undefined ? [] : [codeBlock(showHiddenInDocument(output))];
      const name = showHiddenInDocument(tool ?? "").replaceAll("\n", " ");
      return [`### Tool ${name}: ${state}`, given, ...result].join("\n\n");
    }
    case "history":
      return `## History ${reason}: ${messages} messages`;
  }
}
