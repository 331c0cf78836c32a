/**
 * Scripts use a project's own tool names. Claude Code sends `mcp__bridle__<name>` to the model, with `_` for characters
 * outside `[A-Za-z0-9_-]` (observed on 2.1.330).
 */
function exposedName(name: string): string {
  return `mcp__bridle__${name.replaceAll(/[^A-Za-z0-9_-]/g, "_")}`;
}

/** The name to call: Claude Code's form if only that is offered, else the name in the script. */
export function toWireName(name: string, offered: readonly string[]): string {
  return !offered.includes(name) && offered.includes(exposedName(name)) ? exposedName(name) : name;
}

/** Whether a name in a request is the tool that the script names. */
export function isTool(name: string, wireName: string): boolean {
  return wireName === name || wireName === exposedName(name);
}
