/** What servers over HTTP share, without the protocol. */
export { type ConnectionLimits, Connections } from "./connections.ts";
export { Shares } from "./shares.ts";
