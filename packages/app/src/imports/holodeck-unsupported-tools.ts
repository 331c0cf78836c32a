/** Comments out tools in HoloDeck files that Bridle cannot call. */
import { isPlainObject } from "@bridle/protocol";
import type { YamlEdits } from "./yaml-edits.ts";

export function removeTools(file: YamlEdits): void {
  const skills: unknown[] = [];
  for (const path of file.find(["tools", "*"]).toReversed()) {
    const tool = file.get(path);
    if (!isPlainObject(tool)) continue;
    const reason = whyNot(tool);
    if (reason === undefined) continue;
    if (tool.type === "skill" && typeof tool.path === "string") skills.unshift(tool.path);
    file.remove(path, reason);
  }
  if (skills.length > 0 && !file.has(["skills"])) {
    file.set(["skills"], skills, "skills are folders with a SKILL.md, which the model loads if it needs them.");
  }
}

function whyNot({ type, transport, path }: Record<string, unknown>): string | undefined {
  if (type === "prompt") return "HoloDeck does not run prompt tools, and Bridle has none.";
  if (type === "hosted") return "OpenAI runs it, where no rule of yours applies. An MCP server can do the same.";
  if (type === "mcp" && transport === "websocket") {
    return "websocket is not a transport of the protocol. HoloDeck skips the server, too. Write its address with http.";
  }
  if (type !== "skill") return undefined;
  return path === undefined
    ? "a skill is a folder. Write the text to SKILL.md in one, and name it in skills."
    : "HoloDeck runs it as an agent with its own tools. Write an agent with these tools in a file, and name it with type: agent.";
}
