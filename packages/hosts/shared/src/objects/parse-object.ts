/** Parses a string that should be one JSON value. Some models wrap the value in a code fence. */
export function parseObject(text: string): unknown {
  for (const candidate of [text, withoutFence(text)]) {
    if (candidate === undefined) continue;
    try {
      return JSON.parse(candidate);
    } catch {}
  }
  return undefined;
}

const fence = "```";

/** Returns the text in a code fence; undefined if no fence surrounds the whole text. Takes linear time. */
function withoutFence(text: string): string | undefined {
  const whole = text.trim();
  if (whole.length < 2 * fence.length || !whole.startsWith(fence) || !whole.endsWith(fence)) return undefined;
  const [opening = ""] = /^```(?:json)?\s*/.exec(whole) ?? [];
  return opening.includes("\n") ? whole.slice(opening.length, -fence.length) : undefined;
}
