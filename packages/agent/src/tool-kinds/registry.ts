import type { ToolKind } from "@bridle/protocol";
import { acpKind } from "./acp/acp-kind.ts";
import { agentKind } from "./agent/agent-kind.ts";
import { contextKind } from "./context/context-kind.ts";
import { documentsKind } from "./documents/documents-kind.ts";
import { functionKind } from "./function/function-kind.ts";
import { mcpKind } from "./mcp/mcp-kind.ts";

/** The registry: the kinds of tools that an agent's file can have. A new kind is a folder and one line here. */
export const toolKinds = [
  functionKind,
  mcpKind,
  documentsKind,
  contextKind,
  agentKind,
  acpKind,
] as const satisfies readonly ToolKind[];
