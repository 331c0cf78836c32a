import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** The port of a server that accepts connections and never says a word. It is closed when the test has finished. */
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

/** What each engine says about it. */
export const silent = {
  connectTimeoutMs: 500,
  code: "network",
  message: /^[\w ]+ at 127\.0\.0\.1:\d+\S* does not answer\. Check host, port and firewall\.$/,
} as const;
