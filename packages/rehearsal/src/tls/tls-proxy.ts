import { writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { createServer as createTlsServer } from "node:tls";
import { listen, shut } from "../server/listen.ts";
import type { Rehearsal } from "../server/rehearsal.ts";
import { certificateFor } from "./certificate.ts";
import { createConnections } from "./connections.ts";
import { createProxy } from "./tunnel-proxy.ts";

const anthropicHost = "api.anthropic.com";

export interface TlsProxyOptions {
  readonly rehearsal: Pick<Rehearsal, "url">;
  /** An existing folder, to which the certificate that the client must trust is written. */
  readonly folder: string;
  /** The hosts that the client uses. Default: `api.anthropic.com`. */
  readonly hosts?: readonly string[];
}

/** A proxy that leads a client of `https://api.anthropic.com` to a rehearsal. */
export interface TlsProxy {
  /** All variables that the client's process needs. */
  readonly environment: {
    readonly HTTPS_PROXY: string;
    readonly NODE_EXTRA_CA_CERTS: string;
    readonly CODEX_CA_CERTIFICATE: string;
  };
  /** Every host that the client requested, in order, with the port unless it is 443. */
  readonly hosts: readonly string[];
  close(): Promise<void>;
}

/**
 * Starts a proxy on this machine that terminates TLS for these hosts with its own certificate, and passes all requests on to the rehearsal.
 * The proxy logs every other host and refuses it with a 403, so that nothing leaves the machine.
 *
 * @example
 * const tlsProxy = await startTlsProxy({ rehearsal, folder: temporaryFolder });
 * await writeFakeLogin(configDir);
 * query({ prompt, options: { env: { ...tlsProxy.environment, CLAUDE_CONFIG_DIR: configDir, HOME: home, PATH } } });
 */
export async function startTlsProxy(options: TlsProxyOptions): Promise<TlsProxy> {
  const { rehearsal, folder, hosts: allowed = [anthropicHost] } = options;
  const { authority, certificate, key } = await certificateFor(allowed, new Date());
  const authorityFile = join(folder, "rehearsal-authority.pem");
  await writeFile(authorityFile, authority);

  const connections = createConnections();
  const model = Number(new URL(rehearsal.url).port);
  const secure = createTlsServer({ key, cert: certificate, ALPNProtocols: ["http/1.1"] }, (client) =>
    connections.link(client, connect(model, "127.0.0.1")),
  );
  const hosts: string[] = [];
  const proxy = createProxy(allowed, hosts, (client) => {
    connections.add(client);
    secure.emit("connection", client);
  });
  return {
    environment: {
      HTTPS_PROXY: `http://127.0.0.1:${await listen(proxy)}`,
      NODE_EXTRA_CA_CERTS: authorityFile,
      CODEX_CA_CERTIFICATE: authorityFile,
    },
    hosts,
    async close() {
      connections.end();
      await shut(proxy);
    },
  };
}
