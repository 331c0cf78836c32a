/** Finds the credentials that are set, by name only: the path of the setting and its variables. */
import type { HostAuth } from "@bridle/protocol";
import { isCredential } from "../config/connections.ts";
import { hostOf, loadHost } from "../registries/host-registry.ts";
import type { Settings } from "../settings/settings.ts";
import {
  authField,
  findMissingAuth,
  findMissingEmbeddingSettings,
  findMissingProviderSettings,
} from "./requirements.ts";

export interface NamedCredential {
  /** The path of the setting, such as `llm.provider.apiKey`. */
  readonly field: string;
  /** The variables that its value refers to; empty if the file itself contains the value. */
  readonly variables: readonly string[];
}

export interface Credentials {
  readonly present: readonly NamedCredential[];
  /** Required settings that are missing, with a remedy. */
  readonly missing: readonly (NamedCredential & { readonly remedy: string })[];
  /** Credentials that are set in the environment but that the host does not use. */
  readonly unused: readonly string[];
  /** Settings for which the file itself contains a credential. */
  readonly typed: readonly string[];
}

/** Returns where the host looked for a login without finding one; undefined if it found a login, or if only the host itself can tell. */
export async function findMissingLogin({ provider, projectDir, environment }: Settings): Promise<string | undefined> {
  const { checks } = await loadHost(provider);
  return checks?.missingLogin?.(provider, { projectDir, environment });
}

export function findCredentials(settings: Settings): Credentials {
  const { provider, environment, typed } = settings;
  const { auth } = hostOf(provider.backend);
  const host = auth ? fromEnvironment(auth, settings) : none;
  return {
    present: [
      ...host.present,
      ...presentInProvider(settings),
      ...presentIn("embeddings", settings.embeddings, settings),
    ],
    missing: [...host.missing, ...findMissingProviderSettings(settings), ...findMissingEmbeddingSettings(settings)],
    unused: auth?.unused(provider, environment) ?? [],
    typed: typed.filter((path) => settings.otherBackend === undefined || !path.startsWith("llm.provider.")),
  };
}

type Found = Pick<Credentials, "present" | "missing">;

const none: Found = { present: [], missing: [] };

function fromEnvironment(auth: HostAuth, settings: Settings): Found {
  const missing = findMissingAuth(settings);
  const unset = missing.flatMap(({ variables }) => variables);
  const needed = auth.missing(settings.provider, {}).filter((name) => !unset.includes(name));
  return { present: needed.length === 0 ? [] : [{ field: authField, variables: needed }], missing };
}

function presentInProvider(settings: Settings): NamedCredential[] {
  const { headers, ...provider } = settings.provider;
  return [
    ...presentIn("llm.provider", provider, settings),
    ...(typeof headers === "object" && headers !== null ? presentIn("llm.provider.headers", headers, settings) : []),
  ];
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
