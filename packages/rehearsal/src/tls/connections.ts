import type { Duplex } from "node:stream";

/** The open connections of a proxy, so that none outlives it. */
export interface Connections {
  add(connection: Duplex): void;
  /** Passes the bytes of each on to the other. When one ends or breaks, so does the other. */
  link(one: Duplex, other: Duplex): void;
  end(): void;
}

export function createConnections(): Connections {
  const open = new Set<Duplex>();
  const add = (connection: Duplex) => {
    open.add(connection);
    connection.once("close", () => open.delete(connection));
    connection.on("error", () => connection.destroy());
  };
  return {
    add,
    link(one, other) {
      for (const [from, to] of [[one, other] as const, [other, one] as const]) {
        add(from);
        from.pipe(to);
        from.once("close", () => to.destroy());
      }
    },
    end() {
      for (const connection of open) connection.destroy();
    },
  };
}
