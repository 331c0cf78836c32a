/** Serves tools to MCP clients, and edits the entries in the clients' files. */
export { type InstallScope, installScopes, type McpClientName, mcpClients } from "./clients/mcp-clients.ts";
export {
  type InstallClientOptions,
  type InstalledClient,
  installClient,
  installedClientSchema,
} from "./install-client.ts";
export { type AgentsDispatcher, openAgentsDispatcher } from "./open-agents-dispatcher.ts";
export type { ToolServerSelection } from "./open-tool-server.ts";
export {
  type HttpEffects,
  type ListeningServer,
  type ServeHttpSelection,
  type StdioEffects,
  serveToolsOnStdio,
  serveToolsOverHttp,
} from "./serve-tools.ts";
