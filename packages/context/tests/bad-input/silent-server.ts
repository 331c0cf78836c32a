import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** Starts a server that accepts connections and never answers, and returns its port. The server is closed after the test. */
export async function startSilentServer(): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  return address.port;
}

/** The error that each engine reports for a silent server. */
export const silent = {
  connectTimeoutMs: 500,
  code: "network",
  message: /^[\w ]+ at 127\.0\.0\.1:\d+\S* does not answer\. Check host, port and firewall\.$/,
} as const;
