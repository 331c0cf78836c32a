import { join } from "node:path";
import { defineScript, type ScriptInput } from "@bridle/rehearsal";
import { copilotHosts, writeFakeCopilotLogin } from "@bridle/rehearsal/tls";
import { withOverflows } from "../../../claude-code/tests/support/overflow-once.ts";
import { type LoginService, startLoginService } from "../../../shared/tests/login-service.ts";
import { CopilotBackend } from "../../src/backend.ts";
import type { CopilotOptions } from "../../src/options.ts";

/**
 * The real runtime on a made-up GitHub login, with production options. A rehearsed GitHub is reached over TLS under GitHub's own host
 * names.
 */
export interface CopilotSessionContext extends LoginService {
  readonly backend: CopilotBackend;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export async function startCopilotSession(
  script: ScriptInput,
  { hosts = copilotHosts, ...options }: CopilotOptions & { hosts?: readonly string[] } = {},
): Promise<CopilotSessionContext> {
  const writeLogin = (folder: string) => writeFakeCopilotLogin(join(folder, ".copilot"));
  const service = await startLoginService({ script: withOverflows(defineScript(script)), hosts, writeLogin });
  const { home, tlsProxy, close } = service;
  const environment = { PATH: process.env.PATH, HOME: home, ...options.environment, ...tlsProxy.environment };
  const backend = new CopilotBackend({ maxAttempts: 2, ...options, auth: "session", environment });
  return { ...service, backend, environment, close: () => backend.close().then(close) };
}
