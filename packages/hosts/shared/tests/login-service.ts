import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Rehearsal, type Script, startRehearsal } from "@bridle/rehearsal";
import { startTlsProxy, type TlsProxy } from "@bridle/rehearsal/tls";

/** A rehearsed service that is reached over TLS under the real service's names, and a home with a made-up login for it. */
export interface LoginService {
  readonly rehearsal: Rehearsal;
  readonly tlsProxy: TlsProxy;
  readonly home: string;
  /** The file with the login. */
  readonly file: string;
  /** Reads the current text of the file. */
  readLogin(): Promise<string>;
  close(): Promise<void>;
}

export interface LoginServiceOptions {
  readonly script: Script;
  /** The hosts that a client uses with the login. */
  readonly hosts: readonly string[];
  /** An existing folder, which is kept. Default: a new folder, which is removed. */
  readonly home?: string | undefined;
  /** Writes the login into the home, and returns its file. */
  writeLogin(home: string): Promise<string>;
}

export async function startLoginService(options: LoginServiceOptions): Promise<LoginService> {
  const home = options.home ?? (await mkdtemp(join(tmpdir(), "bridle-login-service-")));
  const rehearsal = await startRehearsal({ script: options.script });
  const tlsProxy = await startTlsProxy({ rehearsal, folder: home, hosts: options.hosts });
  const file = await options.writeLogin(home);
  return {
    rehearsal,
    tlsProxy,
    home,
    file,
    readLogin: () => readFile(file, "utf8"),
    async close() {
      await tlsProxy.close();
      await rehearsal.close();
      if (options.home === undefined) await rm(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
