import type { Server } from "node:http";
import type { Server as TlsServer } from "node:https";
import type { Socket } from "node:net";
import { Shares } from "./shares.ts";

export interface ConnectionLimits {
  /** The maximum number of connections that have not shown a token. */
  readonly strangers: number;
  /** The maximum number of connections of all users together. */
  readonly connections: number;
}

interface Connection {
  readonly socket: Socket;
  readonly address: string;
  user: string | undefined;
}

/**
 * The connections of a server. If too many have no token, the oldest connection from the address with the most connections is closed.
 * Somebody with many connections thus cannot keep others out, even on a machine where all programs share an address.
 */
export class ClientConnections {
  readonly #maxStrangers: number;
  readonly #users: Shares;
  readonly #open = new Map<unknown, Connection>();
  /** The connections without a token by address, the oldest first. */
  readonly #strangers = new Map<string, Set<Connection>>();
  #strangerCount = 0;

  /** `users`: the number of users who share the connections. */
  constructor({ strangers, connections }: ConnectionLimits, users: number) {
    this.#maxStrangers = strangers;
    this.#users = new Shares(connections, users);
  }

  /** Counts all connections of a server, including TLS connections before their handshake. */
  watch(server: Server | TlsServer): void {
    server.on("connection", (socket: Socket) => this.#add(socket));
  }

  /**
   * Notes that a user's request came over this connection. Returns false if the user has too many connections: refuse the request and close
   * the connection.
   */
  admit(socket: Socket, user: string): boolean {
    const connection = this.#open.get(keyOf(socket));
    if (connection === undefined || connection.user === user) return true; // closed in the meantime, or already counted
    if (!this.#users.take(user)) return false;
    if (connection.user === undefined) this.#removeStranger(connection);
    else this.#users.leave(connection.user);
    connection.user = user;
    return true;
  }

  #add(socket: Socket): void {
    const key = keyOf(socket);
    const connection: Connection = { socket, address: socket.remoteAddress ?? "unix", user: undefined };
    this.#open.set(key, connection);
    const ofAddress = this.#strangers.get(connection.address) ?? new Set();
    this.#strangers.set(connection.address, ofAddress.add(connection));
    this.#strangerCount += 1;
    socket.once("close", () => this.#remove(key, connection));
    if (this.#strangerCount > this.#maxStrangers) this.#closeOldestStranger();
  }

  #remove(key: unknown, connection: Connection): void {
    if (this.#open.get(key) === connection) this.#open.delete(key);
    if (connection.user === undefined) this.#removeStranger(connection);
    else this.#users.leave(connection.user);
  }

  #removeStranger(connection: Connection): void {
    const ofAddress = this.#strangers.get(connection.address);
    if (!ofAddress?.delete(connection)) return;
    this.#strangerCount -= 1;
    if (ofAddress.size === 0) this.#strangers.delete(connection.address);
  }

  #closeOldestStranger(): void {
    let max: Set<Connection> | undefined;
    for (const each of this.#strangers.values()) if (max === undefined || each.size > max.size) max = each;
    const [oldest] = max ?? [];
    if (oldest === undefined) return;
    this.#removeStranger(oldest);
    oldest.socket.destroy();
  }
}

/** Identifies a connection. With TLS, it has two sockets with the same remote end. A Unix socket has no remote end, and no TLS. */
function keyOf(socket: Socket): unknown {
  const { remoteAddress, remotePort, localPort } = socket;
  return remotePort === undefined ? socket : `${remoteAddress} ${remotePort} ${localPort}`;
}
