import type { Backend, BackendFeatures } from "@bridle/protocol";
import { inNamespace } from "../namespace/in-namespace.ts";
import type { Settings } from "../settings/settings.ts";
import { createExplainer, withSettings } from "./configured-backend.ts";
import { loadHost } from "./host-registry.ts";
import { missingOfProvider, requireAll } from "./requirements.ts";

/** Makes the backend that the settings name. Throws ConfigError if a setting is missing that it is reached by. */
export async function createBackend(settings: Settings): Promise<Backend> {
  const { provider } = settings;
  requireAll(missingOfProvider(settings), `backend: ${provider.backend}`, settings);
  const backend = await createExplainer(settings)(async () => (await loadHost(provider)).create(provider, settings));
  return inNamespace(withSettings(backend, settings), settings);
}

/** What the backend can do; known without its credentials. */
export async function featuresOf(settings: Settings): Promise<BackendFeatures> {
  return (await loadHost(settings.provider)).features(settings.provider, settings);
}
