import type { HistoryMessage, HistoryPart } from "@bridle/protocol";

/**
 * Normalises a conversation for comparison, because protocols differ: some have one message for each call and each result, and some do not
 * mark a result as an error. Joins messages of one role and clears the error marks.
 */
export function inRows(messages: readonly HistoryMessage[]): HistoryMessage[] {
  const rows: HistoryMessage[] = [];
  for (const { role, content } of messages) {
    const parts = content.map(withoutMark);
    const last = rows.at(-1);
    if (last?.role === role) rows[rows.length - 1] = { role, content: [...last.content, ...parts] };
    else rows.push({ role, content: parts });
  }
  return rows;
}

function withoutMark(part: HistoryPart): HistoryPart {
  return part.type === "tool-result" ? { ...part, isError: false } : part;
}
