import { normaliseToolName } from "@bridle/core";
import { type AnyTool, type Policy, resolveAnnotations } from "@bridle/protocol";

/** Denies and hides every tool that is not annotated `readOnly`. */
export function readOnlyPolicy(tools: readonly AnyTool[]): Policy & Required<Pick<Policy, "disabled">> {
  const writing = tools.filter(({ annotations }) => !resolveAnnotations(annotations).readOnly);
  const disabled = writing.map(({ name }) => normaliseToolName(name));
  return {
    id: "mcp-read-only",
    snapshot: JSON.stringify({ "mcp-read-only": disabled }),
    disabled,
    evaluate: ({ annotations }) => ({
      decision: annotations.readOnly ? "allow" : "deny",
      rule: "mcp-read-only",
      reason: "This caller may only use tools that change nothing.",
    }),
  };
}
