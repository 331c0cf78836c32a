import { join } from "node:path";
import { defineScript, type ScriptInput } from "@bridle/rehearsal";
import { writeFakeCodexLogin } from "@bridle/rehearsal/tls";
import { type LoginService, startLoginService } from "../../../shared/tests/login-service.ts";
import { type CodexBackend, createCodexBackend } from "../../src/backend.ts";
import type { CodexOptions } from "../../src/options.ts";
import { prepareDatabases } from "./prepared-databases.ts";

/** The real Codex on a made-up ChatGPT login, with production options. The rehearsed model is reached under the service's own host name. */
export interface CodexSessionContext extends LoginService {
  readonly backend: CodexBackend;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** The hosts that Codex uses with a login: the service, and the one that refreshes the login's tokens. */
const codexHosts: readonly string[] = ["chatgpt.com", "auth.openai.com"];

export async function startCodexSession(
  script: ScriptInput,
  { home, hosts = codexHosts, ...options }: Partial<CodexOptions> & { home?: string; hosts?: readonly string[] } = {},
): Promise<CodexSessionContext> {
  await prepareDatabases();
  const writeLogin = (folder: string) => writeFakeCodexLogin(join(folder, ".codex"));
  const service = await startLoginService({ script: defineScript(script), hosts, home, writeLogin });
  const { tlsProxy, close } = service;
  const environment = { PATH: process.env.PATH, HOME: service.home, ...tlsProxy.environment, ...options.environment };
  const backend = createCodexBackend({ ...options, auth: "session", environment });
  return { ...service, backend, environment, close: () => backend.close().then(close) };
}
