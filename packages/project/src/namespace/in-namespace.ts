import { AuthenticationError, type Backend, isBridleError, override } from "@bridle/protocol";
import { hostOf, type Provider } from "../registries/host-registry.ts";
import { bridleFolder, type TenantScope } from "./folders.ts";

interface NamespacedProvider extends TenantScope {
  readonly provider: Provider;
}

/**
 * Wraps a backend for one namespace. Its account is separate, so that namespaces share no queue, no wait and no used-up window, even if
 * they use the same credential. Its authentication errors explain how to log in to the namespace.
 */
export function inNamespace(backend: Backend, settings: NamespacedProvider): Backend {
  if (settings.namespace === undefined) return backend;
  return override(backend, {
    account: accountIn(backend.account, settings),
    async open(spec, signal) {
      const conversation = await advised(() => backend.open(spec, signal), settings);
      return override(conversation, {
        turn: (input, context) => advised(() => conversation.turn(input, context), settings),
      });
    },
  });
}

/** Returns the id of an account in a namespace, for the limiter. */
export function accountIn(account: string, settings: TenantScope): string {
  return settings.namespace === undefined ? account : `${account} in ${bridleFolder(settings)}`;
}

async function advised<T>(work: () => Promise<T>, settings: NamespacedProvider): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const advice = namespaceLoginAdvice(settings);
    if (advice === undefined || !isBridleError(error) || error.code !== "authentication") throw error;
    throw new AuthenticationError(`${error.message} ${advice}`, { cause: error });
  }
}

/** Explains how to log in to the host in the namespace; undefined without a namespace, or if the settings use no login. */
export function namespaceLoginAdvice(settings: NamespacedProvider): string | undefined {
  const { namespace, provider } = settings;
  if (namespace === undefined) return undefined;
  const advice = hostOf(provider.backend).loginAdvice?.(provider, bridleFolder(settings));
  return advice && `The namespace ${JSON.stringify(namespace)} has a separate login: ${advice}`;
}
