/**
 * Scripts use a project's own tool names. Claude Code shows the model `mcp__bridle__<name>` instead, with characters
 * outside `[A-Za-z0-9_-]` turned into `_` (observed on 2.1.330).
 */
function exposedName(name: string): string {
  return `mcp__bridle__${name.replaceAll(/[^A-Za-z0-9_-]/g, "_")}`;
}

/** The name to call: as scripted where it is offered so or under no form at all, else the form that is offered. */
export function toWireName(name: string, offered: readonly string[]): string {
  return !offered.includes(name) && offered.includes(exposedName(name)) ? exposedName(name) : name;
}

/** True when a name on the wire is the tool that the script names. */
export function isTool(name: string, wireName: string): boolean {
  return wireName === name || wireName === exposedName(name);
}
