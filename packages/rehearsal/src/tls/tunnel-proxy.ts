import { createServer, type Server } from "node:http";
import type { Duplex } from "node:stream";

/**
 * Creates an HTTP proxy that opens tunnels only to these hosts, and adds every requested host to `hosts`. `enter` gets the client's end of
 * a tunnel, with the bytes that the client has already sent.
 */
export function createProxy(allowed: readonly string[], hosts: string[], enter: (client: Duplex) => void): Server {
  const proxy = createServer((request, response) => {
    hosts.push(new URL(request.url ?? "/", "http://unknown").host);
    response.writeHead(403).end();
  });
  proxy.on("connect", (request, client, ahead) => {
    const host = (request.url ?? "").replace(/:443$/, "");
    hosts.push(host);
    if (!allowed.includes(host)) return void client.end("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n");
    client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
    if (ahead.length > 0) client.unshift(ahead);
    enter(client);
  });
  return proxy;
}
