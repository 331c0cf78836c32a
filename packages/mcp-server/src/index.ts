/** Serves tools over the Model Context Protocol, on standard streams and over HTTP. */
export type { Caller, CallerTools } from "./caller.ts";
export { ClientBackend } from "./calls/client-backend.ts";
export type { McpHttpServer } from "./http/http-server.ts";
export type { McpDispatcher } from "./http/mcp-dispatcher.ts";
export type { ServerLimits } from "./limits.ts";
export { McpToolServer, type McpToolServerOptions, type ServeHttpOptions } from "./mcp-tool-server.ts";
export { readOnlyPolicy } from "./read-only-policy.ts";
export { readTokenFile } from "./tokens/token-file.ts";
