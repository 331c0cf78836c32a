import {
  type AgentRuntime,
  type Backend,
  ConfigError,
  createAgentRuntime,
  type Logger,
  type Policy,
  type RunEvent,
} from "@bridle/core";
import { createBackend } from "./backends.ts";
import { resolveSettings, type Settings, type SettingsOptions } from "./settings.ts";

export interface CreateRuntimeOptions extends SettingsOptions {
  /** A rehearsal script: the model follows it, and all else is real. Needs no login. */
  rehearse?: string;
  policy?: Policy;
  logger?: Logger;
  /** Called with every event of every run. Contract: does not throw and does not wait. */
  onEvent?(event: RunEvent): void;
}

/**
 * Makes a runtime from the project's `bridle.yaml`, or from the defaults: Claude Code, on its own login.
 * Throws ConfigError when a setting is wrong. Call `close()` when done.
 *
 * @example
 * const runtime = await createRuntime();
 * const { text } = await runtime.generateText({ prompt: "Say hello." });
 * await runtime.close();
 */
export async function createRuntime(options: CreateRuntimeOptions = {}): Promise<AgentRuntime> {
  const settings = await resolveSettings(options);
  const { policy, logger, onEvent } = options;
  return createAgentRuntime({
    backend: await chooseBackend(settings, options),
    models: settings.models,
    promptCaching: settings.promptCaching,
    projectDir: settings.projectDir,
    ...(policy && { policy }),
    ...(logger && { logger }),
    ...(onEvent && { onEvent: (event) => onEvent(event) }),
  });
}

async function chooseBackend(settings: Settings, { rehearse, backend, auth }: CreateRuntimeOptions): Promise<Backend> {
  if (rehearse === undefined) return createBackend(settings);
  if (backend !== undefined && backend !== "claude-code") {
    throw new ConfigError(`A rehearsal runs on claude-code, not on ${backend}. Leave the backend out.`, {
      field: "backend",
    });
  }
  if (auth !== undefined) {
    throw new ConfigError("A rehearsal uses no login and no key. Leave the auth mode out.", { field: "auth" });
  }
  const { startRehearsedBackend } = await import("./rehearsed-backend.ts");
  return startRehearsedBackend(rehearse, settings.environment);
}
