/** Chooses the provider: the file's, or the one in the caller's options. */
import { ConfigError, omitUndefined, suggestion } from "@bridle/protocol";
import type { ParsedConfig } from "../config/parse.ts";
import { providerSchema } from "../config/provider.ts";
import { type AuthMode, allHosts, type BackendName, hostOf, type Provider } from "../registries/host-registry.ts";

interface Chosen {
  readonly provider: Provider;
  /** The backend of the file, if an option chose another. */
  readonly otherBackend?: string;
}

/** Returns the settings of the file if they are for the chosen backend; else the defaults of that backend. */
export function chooseProvider(
  { config }: Pick<ParsedConfig, "config">,
  backend?: BackendName,
  auth?: AuthMode,
): Chosen {
  const { provider: own } = config.llm;
  const isOther = backend !== undefined && backend !== own.backend;
  const provider = isOther ? providerSchema.parse({ backend }) : own;
  const otherBackend = isOther ? own.backend : undefined;
  if (auth === undefined) return omitUndefined({ provider, otherBackend });
  if (hostOf(provider.backend).auth === undefined) throw noAuthModes(auth, provider.backend);
  return omitUndefined({ provider: { ...provider, auth }, otherBackend });
}

function noAuthModes(auth: AuthMode, backend: string): ConfigError {
  const owners = allHosts().filter((host) => host.auth?.modes.includes(auth));
  const message = `The auth mode ${auth} is for ${owners.map(({ id }) => id).join(", ")}, but the backend is ${backend}. Leave one of the two out.`;
  return new ConfigError(message, { field: "auth" });
}

/** Throws ConfigError for an unknown name, because callers without types can pass anything. */
export function requireKnown(what: string, name: string, known: readonly string[]): void {
  if (known.includes(name)) return;
  throw new ConfigError(`There is no ${what} "${name}". Known: ${known.join(", ")}.${suggestion(name, known)}`, {
    field: what === "backend" ? "backend" : "auth",
  });
}
