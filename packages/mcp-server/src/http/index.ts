/** The parts that HTTP servers share, without the protocol. */
export { ClientConnections, type ConnectionLimits } from "./client-connections.ts";
export { Shares } from "./shares.ts";
