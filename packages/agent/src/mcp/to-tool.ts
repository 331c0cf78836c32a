import { normaliseToolName } from "@bridle/core";
import { type AnyTool, defineTool, type ToolAnnotations } from "@bridle/protocol";
import type { Tool } from "@modelcontextprotocol/client";
import type { Connection } from "./connection.ts";
import type { McpToolConfig } from "./mcp-config.ts";
import { toOutput } from "./to-output.ts";
import type { createInputs } from "./tool-inputs.ts";

/** The gate's own limit; a call that goes on to show progress may take this long. */
const longestMs = 600_000;

export interface ToolParts {
  readonly connection: Pick<Connection, "callTool">;
  readonly inputOf: ReturnType<typeof createInputs>;
}

/** A server's tool as one of ours. Throws where its schema cannot be checked. */
export function toTool(tool: Tool, config: McpToolConfig, { connection, inputOf }: ToolParts): AnyTool {
  const annotations = annotationsOf(tool);
  const isRepeatable = annotations.readOnly === true || annotations.idempotent === true;
  return defineTool({
    name: nameOf(tool.name, config),
    description: tool.description || tool.title || `The tool ${tool.name} of the server ${config.name}.`,
    input: inputOf(tool.inputSchema),
    annotations,
    timeoutMs: Math.max(longestMs, (config.timeout + 2 * config.request_timeout) * 1000),
    execute: async (input, { signal, progress }) =>
      toOutput(await connection.callTool({ tool: tool.name, input, isRepeatable, signal, progress })),
  });
}

export function nameOf(name: string, { tool_prefix: prefix = "" }: Pick<McpToolConfig, "tool_prefix">): string {
  return normaliseToolName(prefix + name);
}

/** What the server promises. A hint that is not given, or given as no, promises nothing. */
function annotationsOf({ annotations: hints = {} }: Tool): ToolAnnotations {
  return {
    ...(hints.readOnlyHint === true && { readOnly: true }),
    ...(hints.destructiveHint === true && hints.readOnlyHint !== true && { destructive: true }),
    ...(hints.idempotentHint === true && { idempotent: true }),
    ...(hints.openWorldHint === true && { openWorld: true }),
  };
}
