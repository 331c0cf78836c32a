/** Which provider is used: the file's, or one that a caller's option chose. */
import type { AuthMode } from "@bridle/claude-code";
import { ConfigError, suggestion } from "@bridle/protocol";
import type { ParsedConfig } from "../config/parse.ts";
import { type BackendName, type Provider, providerSchema } from "../config/provider.ts";

interface Chosen {
  readonly provider: Provider;
  /** The backend of the file, where an option chose another. */
  readonly otherBackend?: BackendName;
}

/** The file's own settings where it is about the wanted backend; else that backend with nothing but its defaults. */
export function chooseProvider(
  { config }: Pick<ParsedConfig, "config">,
  backend?: BackendName,
  auth?: AuthMode,
): Chosen {
  const { provider: own } = config.llm;
  const isOther = backend !== undefined && backend !== own.backend;
  const provider = isOther ? providerSchema.parse({ backend }) : own;
  if (auth !== undefined && provider.backend !== "claude-code") {
    throw new ConfigError(
      `The auth mode ${auth} is of claude-code, and the backend is ${provider.backend}. Leave one of the two out.`,
      { field: "auth" },
    );
  }
  const chosen = auth === undefined || provider.backend !== "claude-code" ? provider : { ...provider, auth };
  return { provider: chosen, ...(isOther && { otherBackend: own.backend }) };
}

/** Callers without types can pass any name. */
export function requireKnown(what: string, name: string, known: readonly string[]): void {
  if (known.includes(name)) return;
  throw new ConfigError(`There is no ${what} "${name}". Known: ${known.join(", ")}.${suggestion(name, known)}`, {
    field: what === "backend" ? "backend" : "auth",
  });
}
