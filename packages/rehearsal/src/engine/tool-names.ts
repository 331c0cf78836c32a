/**
 * Returns the name that Claude Code sends to the model for a project's own tool: `mcp__bridle__<name>`, with `_` for characters outside
 * `[A-Za-z0-9_-]` (observed on 2.1.330).
 */
function exposedName(name: string): string {
  return `mcp__bridle__${name.replaceAll(/[^A-Za-z0-9_-]/g, "_")}`;
}

/** Returns the name to call: Claude Code's form if only that is offered, or the name in the script. */
export function toWireName(name: string, offered: readonly string[]): string {
  return !offered.includes(name) && offered.includes(exposedName(name)) ? exposedName(name) : name;
}

/** Whether a name in a request belongs to the tool that the script names. */
export function isTool(name: string, wireName: string): boolean {
  return wireName === name || wireName === exposedName(name);
}
