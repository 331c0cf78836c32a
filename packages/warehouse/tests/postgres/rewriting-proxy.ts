import { once } from "node:events";
import { connect, createServer, type Server } from "node:net";

/** A proxy to a server on this machine. It replaces a string in the server's answers with another string of the same length. */
export class RewritingProxy {
  readonly url: string;
  readonly #server: Server;

  private constructor(server: Server, url: string) {
    this.#server = server;
    this.url = url;
  }

  static async create(target: string, from: RegExp, to: string): Promise<RewritingProxy> {
    const { hostname, port } = new URL(target);
    const server = createServer((client) => {
      const upstream = connect(Number(port), hostname);
      client.pipe(upstream);
      upstream.on("data", (data) => client.write(Buffer.from(data.toString("latin1").replace(from, to), "latin1")));
      const cut = () => {
        client.destroy();
        upstream.destroy();
      };
      for (const socket of [client, upstream]) socket.on("error", cut).on("close", cut);
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const url = new URL(target);
    url.port = String(address !== null && typeof address === "object" ? address.port : 0);
    return new RewritingProxy(server, url.href);
  }

  close(): void {
    this.#server.close();
  }
}
