import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";

/** What happens to a message to the server. An `unanswered` message reaches the server, but the connection is cut before the answer. */
export type Fate = "passed" | "cut" | "unanswered";

/** A proxy to a server on this machine. Its connections can be cut at a chosen message. */
export class CuttingProxy {
  readonly url: string;
  readonly #server: Server;

  private constructor(server: Server, url: string) {
    this.#server = server;
    this.url = url;
  }

  /** Creates a proxy. `decide` is called with each message to the server, as text. */
  static async create(target: string, decide: (message: string) => Fate): Promise<CuttingProxy> {
    const { hostname, port } = new URL(target);
    const server = createServer((client) => join(client, connect(Number(port), hostname), decide));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const url = new URL(target);
    url.port = String(address !== null && typeof address === "object" ? address.port : 0);
    return new CuttingProxy(server, url.href);
  }

  close(): void {
    this.#server.close();
  }
}

function join(client: Socket, server: Socket, decide: (message: string) => Fate): void {
  let isUnanswered = false;
  const cut = () => {
    client.destroy();
    server.destroy();
  };
  client.on("data", (message) => {
    const fate = decide(message.toString("latin1"));
    if (fate === "cut") cut();
    else server.write(message);
    isUnanswered ||= fate === "unanswered";
  });
  server.on("data", (message) => {
    if (isUnanswered) cut();
    else client.write(message);
  });
  for (const socket of [client, server]) socket.on("error", cut).on("close", cut);
}
