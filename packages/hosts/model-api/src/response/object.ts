/** Parses a text that should be one JSON value. Some models wrap it in a code fence. */
export function parseObject(text: string): unknown {
  for (const candidate of [text, /^\s*```(?:json)?\s*\n([\s\S]*?)\n?```\s*$/.exec(text)?.[1]]) {
    if (candidate === undefined) continue;
    try {
      return JSON.parse(candidate);
    } catch {}
  }
  return undefined;
}
