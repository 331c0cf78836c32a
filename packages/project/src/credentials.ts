/** Which credentials are there, by name only: the setting's path, and the variables that it comes from. */
import { missingVariables, unusedCredentials } from "@bridle/claude-code";
import { isCredential } from "./config/connections.ts";
import { missingOfEmbeddings, missingOfProvider } from "./requirements.ts";
import type { Settings } from "./settings/settings.ts";

export interface NamedCredential {
  /** The path of the setting, such as `llm.provider.apiKey`. */
  readonly field: string;
  /** Variables of the environment that it comes from; none for one that stands in the file. */
  readonly variables: readonly string[];
}

export interface Credentials {
  readonly present: readonly NamedCredential[];
  /** What is needed and is not there, with what to do. */
  readonly missing: readonly (NamedCredential & { readonly remedy: string })[];
  /** Credentials that are set in the environment and that Claude Code might be thought to use. */
  readonly unused: readonly string[];
  /** Settings whose credential stands in the file itself. */
  readonly typed: readonly string[];
}

export function findCredentials(settings: Settings): Credentials {
  const { provider, environment, typed } = settings;
  const host = provider.backend === "claude-code" ? ofClaudeCode(provider.auth, settings) : ofModelApi(settings);
  return {
    present: [...host.present, ...presentIn("embeddings", settings.embeddings, settings)],
    missing: [...host.missing, ...missingOfEmbeddings(settings)],
    unused: provider.backend === "claude-code" ? unusedCredentials(provider.auth, environment) : [],
    typed: typed.filter((path) => settings.otherBackend === undefined || !path.startsWith("llm.provider.")),
  };
}

type Found = Pick<Credentials, "present" | "missing">;

function ofClaudeCode(auth: Parameters<typeof missingVariables>[0], settings: Settings): Found {
  const field = "llm.provider.auth";
  const lacking = missingVariables(auth, settings.environment);
  const needed = missingVariables(auth, {}).filter((name) => !lacking.includes(name));
  return {
    present: needed.length === 0 ? [] : [{ field, variables: needed }],
    missing: [
      ...(lacking.length === 0
        ? []
        : [{ field, variables: lacking, remedy: "Set it, or choose another auth mode in bridle.yaml." }]),
      ...missingOfProvider(settings),
    ],
  };
}

function ofModelApi(settings: Settings): Found {
  const { headers = {}, ...provider } = { headers: undefined, ...settings.provider };
  const present = [
    ...presentIn("llm.provider", provider, settings),
    ...presentIn("llm.provider.headers", headers, settings),
  ];
  return { present, missing: missingOfProvider(settings) };
}

function presentIn(holder: string, values: object, { written }: Settings): NamedCredential[] {
  return Object.entries(values).flatMap(([key, value]) => {
    const field = `${holder}.${key}`;
    const counts = isCredential(field.split(".")) || key === "keyFile" || key === "credentials";
    return counts && value !== undefined ? [{ field, variables: variablesIn(written[field] ?? "") }] : [];
  });
}

function variablesIn(written: string): string[] {
  return [...written.matchAll(/\$\{(\w+)/g)].map(([, name = ""]) => name);
}
