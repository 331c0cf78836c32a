import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineScript, type Rehearsal, type ScriptInput, startRehearsal } from "@bridle/rehearsal";
import { startTlsProxy, type TlsProxy, writeFakeCodexLogin } from "@bridle/rehearsal/tls";
import { type CodexBackend, createCodexBackend } from "../../src/backend.ts";
import type { CodexOptions } from "../../src/options.ts";
import { prepareDatabases } from "./prepared-databases.ts";

/** The real Codex on a made-up ChatGPT login: production options, the model rehearsed behind the service's own name. */
export interface CodexSessionContext {
  backend: CodexBackend;
  rehearsal: Rehearsal;
  tlsProxy: TlsProxy;
  home: string;
  environment: Readonly<Record<string, string | undefined>>;
  /** The file with the user's login as it is now. */
  readLogin(): Promise<string>;
  close(): Promise<void>;
}

/** The hosts that Codex uses with a login: the service, and the one that refreshes the login's tokens. */
const codexHosts: readonly string[] = ["chatgpt.com", "auth.openai.com"];

export async function startCodexSession(
  script: ScriptInput,
  {
    home: given,
    hosts = codexHosts,
    ...options
  }: Partial<CodexOptions> & { home?: string; hosts?: readonly string[] } = {},
): Promise<CodexSessionContext> {
  const home = given ?? (await mkdtemp(join(tmpdir(), "bridle-codex-login-")));
  await prepareDatabases();
  const rehearsal = await startRehearsal({ script: defineScript(script) });
  const tlsProxy = await startTlsProxy({ rehearsal, folder: home, hosts });
  const login = await writeFakeCodexLogin(join(home, ".codex"));
  const environment = { PATH: process.env.PATH, HOME: home, ...tlsProxy.environment, ...options.environment };
  const backend = createCodexBackend({ ...options, auth: "session", environment });
  return {
    backend,
    rehearsal,
    tlsProxy,
    home,
    environment,
    readLogin: () => readFile(login, "utf8"),
    async close() {
      await backend.close();
      await tlsProxy.close();
      await rehearsal.close();
      if (given === undefined) await rm(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
