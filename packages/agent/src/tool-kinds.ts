import type { ToolKind } from "@bridle/protocol";
import { acpKind } from "./tool-kinds/acp/acp-kind.ts";
import { agentKind } from "./tool-kinds/agent/agent-kind.ts";
import { contextKind } from "./tool-kinds/context/context-kind.ts";
import { documentsKind } from "./tool-kinds/documents/documents-kind.ts";
import { functionKind } from "./tool-kinds/function/function-kind.ts";
import { mcpKind } from "./tool-kinds/mcp/mcp-kind.ts";

/** The registry: the kinds of tools that an agent's file can have. A new kind is a folder and one line here. */
export const toolKinds = [
  functionKind,
  mcpKind,
  documentsKind,
  contextKind,
  agentKind,
  acpKind,
] as const satisfies readonly ToolKind[];
