/** Which provider is used: the file's, or one that a caller's option chose. */
import { ConfigError, omitUndefined, suggestion } from "@bridle/protocol";
import type { ParsedConfig } from "../config/parse.ts";
import { providerSchema } from "../config/provider.ts";
import { type AuthMode, allHosts, type BackendName, hostOf, type Provider } from "../hosts/host-registry.ts";

interface Chosen {
  readonly provider: Provider;
  /** The backend of the file, if an option chose another. */
  readonly otherBackend?: string;
}

/** The file's own settings if they are about the chosen backend; else that backend with nothing but its defaults. */
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
  const message = `The auth mode ${auth} is of ${owners.map(({ id }) => id).join(", ")}, and the backend is ${backend}. Leave one of the two out.`;
  return new ConfigError(message, { field: "auth" });
}

/** Callers without types can pass any name. */
export function requireKnown(what: string, name: string, known: readonly string[]): void {
  if (known.includes(name)) return;
  throw new ConfigError(`There is no ${what} "${name}". Known: ${known.join(", ")}.${suggestion(name, known)}`, {
    field: what === "backend" ? "backend" : "auth",
  });
}
