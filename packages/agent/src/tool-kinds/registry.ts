import type { ToolKind } from "@bridle/protocol";
import { acpKind } from "./acp/acp-kind.ts";
import { agentKind } from "./agent/agent-kind.ts";
import { contextKind } from "./context/context-kind.ts";
import { documentsKind } from "./documents/documents-kind.ts";
import { functionKind } from "./function/function-kind.ts";
import { mcpKind } from "./mcp/mcp-kind.ts";

/** The tool kinds that an agent file can contain. To add a kind, add a folder and one line here. */
export const toolKinds = [
  functionKind,
  mcpKind,
  documentsKind,
  contextKind,
  agentKind,
  acpKind,
] as const satisfies readonly ToolKind[];
