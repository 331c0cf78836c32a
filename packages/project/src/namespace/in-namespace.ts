import { AuthenticationError, type Backend, isBridleError } from "@bridle/protocol";
import type { Settings } from "../settings/settings.ts";
import { bridleFolder, namespaceFolders } from "./folders.ts";

type Whose = Pick<Settings, "projectDir" | "namespace" | "provider">;

/**
 * The backend as one namespace has it: its account is nobody else's, so that no queue, no wait and no used-up window is
 * shared with another, not even where the same credential pays; and its errors say how to log in there.
 */
export function inNamespace(backend: Backend, settings: Whose): Backend {
  if (settings.namespace === undefined) return backend;
  return {
    ...backend,
    account: accountIn(backend.account, settings),
    async open(spec, signal) {
      const conversation = await advised(() => backend.open(spec, signal), settings);
      return { ...conversation, turn: (input, host) => advised(() => conversation.turn(input, host), settings) };
    },
  };
}

/** Of everything that has a limiter. */
export function accountIn(account: string, settings: Pick<Settings, "projectDir" | "namespace">): string {
  return settings.namespace === undefined ? account : `${account} in ${bridleFolder(settings)}`;
}

async function advised<T>(work: () => Promise<T>, settings: Whose): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const advice = loginAdvice(settings);
    if (advice === undefined || !isBridleError(error) || error.code !== "authentication") throw error;
    throw new AuthenticationError(`${error.message} ${advice}`, { cause: error });
  }
}

/** Where a login of the namespace is made, for `auth: session`. */
export function loginAdvice(settings: Whose): string | undefined {
  const { namespace, provider } = settings;
  if (namespace === undefined || provider.backend !== "claude-code" || provider.auth !== "session") return undefined;
  const { claudeCode } = namespaceFolders(bridleFolder(settings));
  return `The namespace ${JSON.stringify(namespace)} has a login of its own: run "claude" with CLAUDE_CONFIG_DIR=${claudeCode}`;
}
