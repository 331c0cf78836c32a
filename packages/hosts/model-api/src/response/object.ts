/** The object in a text that should be nothing but one; models put it between fences now and then. */
export function parseObject(text: string): unknown {
  for (const candidate of [text, /^\s*```(?:json)?\s*\n([\s\S]*?)\n?```\s*$/.exec(text)?.[1]]) {
    if (candidate === undefined) continue;
    try {
      return JSON.parse(candidate);
    } catch {}
  }
  return undefined;
}
