/** The Agent Client Protocol, for editors. */
export type { AcpAgentOptions } from "./acp-agent.ts";
export type { SessionModeName } from "./modes.ts";
export { type AcpStreams, serveAcp } from "./serve-acp.ts";
