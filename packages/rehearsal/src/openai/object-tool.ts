/** Some agent runtimes cannot force a tool, and request an object with a tool of this name (Claude Code, and Bridle on Copilot). */
export function findObjectTool(offered: readonly string[]): string | undefined {
  return offered.find((name) => name === "StructuredOutput");
}
