import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A loopback server to which nothing should ever connect. */
export interface Decoy {
  readonly url: string;
  /** The requests that arrived, with method and path. */
  readonly visits: readonly string[];
  close(): Promise<void>;
}

export async function startDecoy(): Promise<Decoy> {
  const visits: string[] = [];
  const server = createServer((request, response) => {
    visits.push(`${request.method} ${request.url}`);
    response.writeHead(404, { "x-should-retry": "false" }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    visits,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
