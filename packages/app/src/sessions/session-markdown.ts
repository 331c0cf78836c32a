import { codeBlock, inline, quote, quoteJson } from "../bundles/texts/code-fence.ts";
import type { EntryRow, SessionView } from "./session-schemas.ts";

/**
 * Formats a session as a Markdown document: the messages, and the calls with their results. Untrusted text is quoted, so that an
 * answer cannot imitate an entry of the user.
 */
export function formatSessionMarkdown({ id, startedAt, entries }: SessionView): string {
  const sections = entries.map(formatEntry).filter((section) => section !== "");
  return `${[`# Session ${id}`, `Started: ${startedAt}`, ...sections].join("\n\n")}\n`;
}

function formatEntry({ kind, text = "", tool, input, state, output, reason, messages }: EntryRow): string {
  switch (kind) {
    case "user":
      return `## User\n\n${quote(text.trim())}`;
    case "text":
      return `## Model\n\n${quote(text.trim())}`;
    case "reasoning":
      return "";
    case "tool": {
      const result = output === undefined ? [] : [quote(codeBlock(output))];
      return [`## Tool ${inline(tool ?? "")}: ${state}`, quoteJson(input), ...result].join("\n\n");
    }
    case "history":
      return `## History ${reason}: ${messages} messages`;
  }
}
