import { createClaudeCodeBackend } from "@bridle/claude-code";
import type { ModelApiOptions } from "@bridle/model-api";
import type { Backend, BackendFeatures } from "@bridle/protocol";
import { isModelApi, type ModelApiProvider, type Provider } from "./config/provider.ts";
import { createExplainer, withSettings } from "./configured-backend.ts";
import { inNamespace } from "./namespace/in-namespace.ts";
import { createNoBackend } from "./no-backend.ts";
import { rehearsedProvider } from "./rehearsed-provider.ts";
import { missingOfProvider, requireAll } from "./requirements.ts";
import type { Settings } from "./settings/settings.ts";

/** The address for a backend that is only asked what it can do. */
const nowhere = "http://127.0.0.1";

type Surroundings = Pick<Settings, "environment" | "configFile" | "prices">;

/** Makes the backend that the settings name. Throws ConfigError where something is missing that it is reached by. */
export async function createBackend(settings: Settings): Promise<Backend> {
  const { provider } = settings;
  requireAll(missingOfProvider(settings), `backend: ${provider.backend}`, settings);
  const backend = await createExplainer(settings)(() => connect(provider, settings));
  return inNamespace(withSettings(backend, settings), settings);
}

/** What the backend can do; known without its credentials. */
export async function featuresOf(settings: Settings): Promise<BackendFeatures> {
  const { provider } = settings;
  const { features } = await connect(
    isModelApi(provider) ? rehearsedProvider(provider.backend, nowhere) : provider,
    settings,
  );
  return features;
}

/** A new backend is its keys in the schema and a case here. */
export async function connect(provider: Provider, surroundings: Surroundings): Promise<Backend> {
  switch (provider.backend) {
    case "claude-code": {
      const { auth, baseUrl, idleTimeoutMs, pool } = provider;
      return createClaudeCodeBackend({
        auth,
        environment: surroundings.environment,
        ...(baseUrl !== undefined && { baseUrl }),
        ...(idleTimeoutMs !== undefined && { idleTimeoutMs }),
        ...(pool !== undefined && { pool }),
      });
    }
    case "none":
      return createNoBackend(surroundings.configFile);
    default:
      return connectModelApi(provider, surroundings);
  }
}

async function connectModelApi(provider: ModelApiProvider, { prices }: Surroundings): Promise<Backend> {
  const { createModelApiBackend } = await import("@bridle/model-api"); // with every provider, which other backends do not need
  return createModelApiBackend(modelApiOptions(provider, prices));
}

/** The file's words as the options of the package. */
export function modelApiOptions(
  { backend, ...keys }: ModelApiProvider,
  prices: Settings["prices"] = {},
): ModelApiOptions {
  return { id: backend, ...keys, prices } as ModelApiOptions;
}
