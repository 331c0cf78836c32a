import type { RunEvent } from "@bridle/protocol";

/** Reads all texts in an event that a user allowed or denied: the input of a call, its preview, and an edited input. */
export function readDecidedValues(event: RunEvent): string[] {
  if (event.type === "tool.requested") return [...listTexts(event.input), JSON.stringify(event.input) ?? ""];
  if (event.type === "approval.requested") {
    const { input, preview = "", reason = "", problem = "" } = event;
    return [...listTexts(input), JSON.stringify(input) ?? "", preview, reason, problem];
  }
  if (event.type === "approval.decided") {
    const { input, when } = event;
    return [...listTexts(input), ...listTexts(when), JSON.stringify(input) ?? ""];
  }
  return [];
}

/** Lists the strings and keys in a JSON value. Not recursive, because an input may be deeply nested. */
function listTexts(value: unknown): string[] {
  const texts: string[] = [];
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === "string") texts.push(next);
    else if (Array.isArray(next)) for (const item of next) open.push(item);
    else if (typeof next === "object" && next !== null) {
      for (const [key, item] of Object.entries(next)) open.push(key, item);
    }
  }
  return texts;
}
