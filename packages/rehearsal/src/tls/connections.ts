import type { Duplex } from "node:stream";

/** A proxy's open connections. They are closed together with the proxy. */
export interface Connections {
  add(connection: Duplex): void;
  /** Passes bytes in both directions. If one connection closes, the other closes too. */
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
