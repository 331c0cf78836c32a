import { normaliseToolName } from "@bridle/core";
import { type AnyTool, defineTool, type ToolAnnotations } from "@bridle/protocol";
import type { Tool } from "@modelcontextprotocol/client";
import type { Connection } from "./connection.ts";
import type { McpToolConfig } from "./mcp-config.ts";
import { toMcpOutput } from "./to-output.ts";
import type { createToolInputs } from "./tool-inputs.ts";

/** The tool executor's default time limit. A call that reports progress may take this long. */
const minTimeoutMs = 600_000;

export interface ToolParts {
  readonly connection: Pick<Connection, "callTool">;
  readonly createInput: ReturnType<typeof createToolInputs>;
}

/** Turns a tool of a server into a tool of Bridle. Throws an Error for an invalid input schema. */
export function toMcpTool(tool: Tool, config: McpToolConfig, { connection, createInput }: ToolParts): AnyTool {
  const annotations = toAnnotations(tool);
  const isRepeatable = annotations.readOnly === true || annotations.idempotent === true;
  return defineTool({
    name: toolName(tool.name, config),
    description: tool.description || tool.title || `The tool ${tool.name} of the server ${config.name}.`,
    input: createInput(tool.inputSchema),
    annotations,
    timeoutMs: Math.max(minTimeoutMs, (config.timeout + 2 * config.request_timeout) * 1000),
    execute: async (input, { signal, progress }) =>
      toMcpOutput(await connection.callTool({ tool: tool.name, input, isRepeatable, signal, progress })),
  });
}

export function toolName(name: string, { tool_prefix: prefix = "" }: Pick<McpToolConfig, "tool_prefix">): string {
  return normaliseToolName(prefix + name);
}

/** Converts the server's hints to annotations. A missing hint has the protocol's default: destructive and open-world. */
function toAnnotations({ annotations: hints = {} }: Tool): ToolAnnotations {
  const { readOnlyHint: readOnly = false, destructiveHint = true, idempotentHint = false } = hints;
  const destructive = destructiveHint && !readOnly;
  return { readOnly, destructive, idempotent: idempotentHint, openWorld: hints.openWorldHint ?? true };
}
