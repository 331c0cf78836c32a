import { writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { createServer as createTlsServer } from "node:tls";
import { listen, shut } from "../server/listen.ts";
import type { Rehearsal } from "../server/rehearsal.ts";
import { makeCertificate } from "./certificate.ts";
import { createConnections } from "./connections.ts";
import { createProxy } from "./proxy.ts";

const apiHost = "api.anthropic.com";

export interface TlsWayInOptions {
  readonly rehearsal: Pick<Rehearsal, "url">;
  /** An existing folder for the certificate that the client has to trust. */
  readonly folder: string;
}

/** A way from a client's production environment, which knows only `https://api.anthropic.com`, to a rehearsal. */
export interface TlsWayIn {
  /** What the client's process needs in its environment, and all that it needs. */
  readonly environment: { readonly HTTPS_PROXY: string; readonly NODE_EXTRA_CA_CERTS: string };
  /** Every host that the client asked for, as often as it did; with a port where it is not 443. */
  readonly hosts: readonly string[];
  close(): Promise<void>;
}

/**
 * Starts a proxy on loopback that ends TLS for `api.anthropic.com` with a certificate of its own and passes everything
 * on to the rehearsal. Every other host is recorded and refused with a 403, so that nothing leaves the machine.
 *
 * @example
 * const wayIn = await startTlsWayIn({ rehearsal, folder: temporaryFolder });
 * await writeMadeUpLogin(configDir);
 * query({ prompt, options: { env: { ...wayIn.environment, CLAUDE_CONFIG_DIR: configDir, HOME: home, PATH } } });
 */
export async function startTlsWayIn({ rehearsal, folder }: TlsWayInOptions): Promise<TlsWayIn> {
  const { authority, certificate, key } = await makeCertificate(apiHost, new Date());
  const authorityFile = join(folder, "rehearsal-authority.pem");
  await writeFile(authorityFile, authority);

  const connections = createConnections();
  const model = Number(new URL(rehearsal.url).port);
  const secure = createTlsServer({ key, cert: certificate, ALPNProtocols: ["http/1.1"] }, (client) =>
    connections.link(client, connect(model, "127.0.0.1")),
  );
  const hosts: string[] = [];
  const proxy = createProxy(apiHost, hosts, (client) => {
    connections.add(client);
    secure.emit("connection", client);
  });
  return {
    environment: { HTTPS_PROXY: `http://127.0.0.1:${await listen(proxy)}`, NODE_EXTRA_CA_CERTS: authorityFile },
    hosts,
    async close() {
      connections.end();
      await shut(proxy);
    },
  };
}
