import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineScript, type Rehearsal, type ScriptInput, startRehearsal } from "@bridle/rehearsal";
import { copilotHosts, startTlsProxy, type TlsProxy, writeFakeCopilotLogin } from "@bridle/rehearsal/tls";
import { withOverflows } from "../../../claude-code/tests/support/overflow-once.ts";
import { CopilotBackend } from "../../src/backend.ts";
import type { CopilotOptions } from "../../src/options.ts";

/** The real runtime on a made-up GitHub login: production options, GitHub rehearsed behind its own names over TLS. */
export interface CopilotSessionContext {
  readonly backend: CopilotBackend;
  readonly rehearsal: Rehearsal;
  readonly tlsProxy: TlsProxy;
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The file with the user's login. */
  readonly file: string;
  /** The file's text as it is now. */
  readLogin(): Promise<string>;
  close(): Promise<void>;
}

export async function startCopilotSession(
  script: ScriptInput,
  { hosts = copilotHosts, ...options }: CopilotOptions & { hosts?: readonly string[] } = {},
): Promise<CopilotSessionContext> {
  const home = await mkdtemp(join(tmpdir(), "bridle-copilot-login-"));
  const rehearsal = await startRehearsal({ script: withOverflows(defineScript(script)) });
  const tlsProxy = await startTlsProxy({ rehearsal, folder: home, hosts });
  const file = await writeFakeCopilotLogin(join(home, ".copilot"));
  const environment = { PATH: process.env.PATH, HOME: home, ...options.environment, ...tlsProxy.environment };
  const backend = new CopilotBackend({ maxAttempts: 2, ...options, auth: "session", environment });
  return {
    backend,
    rehearsal,
    tlsProxy,
    home,
    environment,
    file,
    readLogin: () => readFile(file, "utf8"),
    async close() {
      await backend.close();
      await tlsProxy.close();
      await rehearsal.close();
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
