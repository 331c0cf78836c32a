/** What servers over HTTP share, without the protocol. */
export { type ConnectionLimits, ClientConnections } from "./client-connections.ts";
export { Shares } from "./shares.ts";
