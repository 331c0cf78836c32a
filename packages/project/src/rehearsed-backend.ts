import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClaudeCodeBackend } from "@bridle/claude-code";
import { type Backend, type Conversation, InvalidRequestError } from "@bridle/core";
import type { Rehearsal } from "@bridle/rehearsal";
import type { Environment } from "./config/variables.ts";

/**
 * The real Claude Code on a model that follows a script: no login, no cost, and a configuration folder of its own that
 * is gone after `close()`. Throws ConfigError when the script cannot be read or does not fit the form.
 */
export async function startRehearsedBackend(script: string, environment: Environment): Promise<Backend> {
  const { loadScript, startRehearsal } = await import("@bridle/rehearsal");
  const rehearsal = await startRehearsal({ script: await loadScript(script) });
  const configDir = await mkdtemp(join(tmpdir(), "bridle-rehearsal-"));
  const backend = createClaudeCodeBackend({
    auth: "api_key",
    environment: { ...environment, ANTHROPIC_API_KEY: "rehearsal" },
    baseUrl: rehearsal.url,
    configDir,
  });
  return {
    ...failingAsScripted(backend, rehearsal),
    async close() {
      await backend.close();
      await rehearsal.close();
      await rm(configDir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** A turn during which the script had no answer fails with the script's own sentence, however the host took it. */
export function failingAsScripted(backend: Backend, { failures }: Pick<Rehearsal, "failures">): Backend {
  return {
    ...backend,
    async open(spec, signal) {
      const conversation = await backend.open(spec, signal);
      return {
        surroundings: conversation.surroundings,
        async turn(input, host) {
          const before = failures.length;
          const outcome = await Promise.allSettled([conversation.turn(input, host)]);
          const failure = failures[before];
          if (failure) throw new InvalidRequestError(`The rehearsal does not fit: ${failure.message}`);
          if (outcome[0].status === "rejected") throw outcome[0].reason;
          return outcome[0].value;
        },
        close: () => conversation.close(),
      } satisfies Conversation;
    },
  };
}
