/** The Agent Client Protocol, for editors. */

export type { SessionModeName } from "./modes.ts";
export { serveAcp } from "./serve-acp.ts";
