import type { Backend, BackendFeatures } from "@bridle/protocol";
import { inNamespace } from "../namespace/in-namespace.ts";
import { loadHost } from "../registries/host-registry.ts";
import type { Settings } from "../settings/settings.ts";
import { createExplainer, withSettings } from "./configured-backend.ts";
import { findMissingHostSettings, requireAll } from "./requirements.ts";
import { withAddressWarning } from "./unencrypted-address.ts";

/** Creates the backend that the settings choose. Throws ConfigError if a setting that the backend needs is missing. */
export async function createBackend(settings: Settings): Promise<Backend> {
  const { provider } = settings;
  requireAll(findMissingHostSettings(settings), `backend: ${provider.backend}`, settings);
  const backend = await createExplainer(settings)(async () => (await loadHost(provider)).create(provider, settings));
  return inNamespace(withSettings(withAddressWarning(backend, provider), settings), settings);
}

/** Reads the features of the backend. Needs no credentials. */
export async function readFeatures(settings: Settings): Promise<BackendFeatures> {
  return (await loadHost(settings.provider)).features(settings.provider, settings);
}
