/** The parts that Bridle's HTTP servers share, apart from the protocol. */
export { ClientConnections, type ConnectionLimits } from "./client-connections.ts";
export { Shares } from "./shares.ts";
