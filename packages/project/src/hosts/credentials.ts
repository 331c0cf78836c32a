/** Which credentials are there, by name only: the setting's path, and the variables that it comes from. */
import type { HostAuth } from "@bridle/protocol";
import { isCredential } from "../config/connections.ts";
import type { Settings } from "../settings/settings.ts";
import { hostOf } from "./host-registry.ts";
import { missingOfEmbeddings, missingOfProvider } from "./requirements.ts";

export interface NamedCredential {
  /** The path of the setting, such as `llm.provider.apiKey`. */
  readonly field: string;
  /** The variables that it comes from; none if it is written in the file. */
  readonly variables: readonly string[];
}

export interface Credentials {
  readonly present: readonly NamedCredential[];
  /** Settings that are needed and missing, with what to do. */
  readonly missing: readonly (NamedCredential & { readonly remedy: string })[];
  /** Credentials that are set in the environment but that the host does not use. */
  readonly unused: readonly string[];
  /** Settings whose credential is written in the file itself. */
  readonly typed: readonly string[];
}

/** The path of the setting that says who pays. */
export const authField = "llm.provider.auth";

export function findCredentials(settings: Settings): Credentials {
  const { provider, environment, typed } = settings;
  const { auth } = hostOf(provider.backend);
  const host = auth ? fromEnvironment(auth, settings) : fromSettings(settings);
  return {
    present: [...host.present, ...presentIn("embeddings", settings.embeddings, settings)],
    missing: [...host.missing, ...missingOfProvider(settings), ...missingOfEmbeddings(settings)],
    unused: auth?.unused(provider, environment) ?? [],
    typed: typed.filter((path) => settings.otherBackend === undefined || !path.startsWith("llm.provider.")),
  };
}

type Found = Pick<Credentials, "present" | "missing">;

function fromEnvironment(auth: HostAuth, { provider, environment }: Settings): Found {
  const variables = auth.missing(provider, environment);
  const needed = auth.missing(provider, {}).filter((name) => !variables.includes(name));
  const remedy = "Set it, or choose another auth mode in bridle.yaml.";
  return {
    present: needed.length === 0 ? [] : [{ field: authField, variables: needed }],
    missing: variables.length === 0 ? [] : [{ field: authField, variables, remedy }],
  };
}

function fromSettings(settings: Settings): Found {
  const { headers, ...provider } = settings.provider;
  const present = [
    ...presentIn("llm.provider", provider, settings),
    ...(typeof headers === "object" && headers !== null ? presentIn("llm.provider.headers", headers, settings) : []),
  ];
  return { present, missing: [] };
}

function presentIn(holder: string, values: object, { written, provider }: Settings): NamedCredential[] {
  const { credentialKeys = [] } = hostOf(provider.backend).settings;
  return Object.entries(values).flatMap(([key, value]) => {
    const field = `${holder}.${key}`;
    const counts = isCredential(field.split(".")) || credentialKeys.includes(key);
    return counts && value !== undefined ? [{ field, variables: variablesIn(written[field] ?? "") }] : [];
  });
}

function variablesIn(written: string): string[] {
  return [...written.matchAll(/\$\{(\w+)/g)].map(([, name = ""]) => name);
}
