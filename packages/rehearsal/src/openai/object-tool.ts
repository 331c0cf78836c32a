/** Finds the tool with which agent runtimes that cannot force a tool request an object (Claude Code, and Bridle on Copilot). */
export function findObjectTool(offered: readonly string[]): string | undefined {
  return offered.find((name) => name === "StructuredOutput");
}
