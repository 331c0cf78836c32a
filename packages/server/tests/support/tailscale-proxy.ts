import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { onTestFinished } from "vitest";

export const tailnetName = "laptop.tail1234.ts.net";

/**
 * Imitates `tailscale serve` according to https://tailscale.com/kb/1312/serve and
 * https://github.com/tailscale/tailscale/issues/7061: the name in `Host`, `X-Forwarded-*` in the format of Go's reverse proxy, and
 * the user of the other device. Not verified against a real Tailscale.
 */
export async function startTailscaleProxy(target: string): Promise<string> {
  const proxy = createServer((incoming, outgoing) => forward(incoming, outgoing, target)).listen(0, "127.0.0.1");
  await once(proxy, "listening");
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  const address = proxy.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
}

function forward(incoming: IncomingMessage, outgoing: ServerResponse, target: string): void {
  const sent = Object.entries(incoming.headers).filter(([name]) => !/^(x-forwarded|tailscale|connection$)/.test(name));
  const headers = {
    ...Object.fromEntries(sent),
    host: tailnetName,
    "x-forwarded-for": "100.64.0.7",
    "x-forwarded-host": tailnetName,
    "x-forwarded-proto": "https",
    "tailscale-user-login": "ada@example.com",
    "tailscale-user-name": "Ada",
    "tailscale-user-profile-pic": "https://example.com/ada.png",
  };
  const { method, url = "/" } = incoming;
  const further = request(`${target}${url}`, { method, headers }, (reply) => {
    outgoing.writeHead(reply.statusCode ?? 502, reply.headers).flushHeaders();
    reply.pipe(outgoing);
  });
  further.on("error", () => outgoing.destroy());
  outgoing.on("close", () => further.destroy());
  incoming.pipe(further);
}
