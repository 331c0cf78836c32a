import { once } from "node:events";
import { createServer, type Socket } from "node:net";

interface TrafficWatch {
  /** Variables that direct all connections to the watch, except those to this machine. */
  readonly environment: Readonly<Record<string, string>>;
  /** The requested hosts. */
  readonly hosts: readonly string[];
  close(): Promise<void>;
}

const here = "127.0.0.1,localhost";

/** Starts a loopback proxy that records every requested host and refuses the connection. */
export async function startTrafficWatch(): Promise<TrafficWatch> {
  const hosts: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    socket.once("data", (data) => {
      hosts.push(data.toString("latin1").split(" ")[1] ?? "unknown");
      socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  return {
    environment: {
      HTTP_PROXY: url,
      HTTPS_PROXY: url,
      NO_PROXY: here,
      http_proxy: url,
      https_proxy: url,
      no_proxy: here,
    },
    hosts,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
