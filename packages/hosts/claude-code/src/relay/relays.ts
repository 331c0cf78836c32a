import { credentialAddressVariable } from "../auth/auth-modes.ts";
import type { ClaudeAuthMode } from "../options.ts";
import { Relay } from "./relay.ts";

/** The provider's own hosts, which need no relay because they get the credential anyway. */
const ownHosts = ["api.anthropic.com"];

/** The relays of a backend, one for each address. Each starts when it is needed. */
export class Relays {
  readonly #auth: ClaudeAuthMode;
  readonly #byAddress = new Map<string, Relay>();

  constructor(auth: ClaudeAuthMode) {
    this.#auth = auth;
  }

  /**
   * Returns the environment of the host's process. If a credential is sent to the base URL, the URL is replaced with a relay's address.
   * Rejects with a ConfigError if the base URL is not valid.
   */
  async apply(environment: Record<string, string>): Promise<Record<string, string>> {
    const name = credentialAddressVariable(this.#auth, environment);
    const baseUrl = name && environment[name];
    if (!name || !baseUrl || ownHosts.includes(URL.parse(baseUrl)?.hostname ?? "")) return environment;
    const relay = this.#byAddress.get(baseUrl) ?? new Relay(baseUrl, environment);
    this.#byAddress.set(baseUrl, relay);
    return { ...reachedDirectly(environment), [name]: await relay.address() };
  }

  async close(): Promise<void> {
    await Promise.all([...this.#byAddress.values()].map((relay) => relay.close()));
  }
}

/** Excludes the relay from the machine's proxy, so that the host reaches it directly. */
function reachedDirectly(environment: Record<string, string>): Record<string, string> {
  if (!Object.keys(environment).some((name) => /^https?_proxy$/i.test(name))) return environment;
  const { no_proxy, NO_PROXY } = environment;
  const direct = [no_proxy || NO_PROXY, "127.0.0.1"].filter(Boolean).join(",");
  return { ...environment, no_proxy: direct, NO_PROXY: direct };
}
