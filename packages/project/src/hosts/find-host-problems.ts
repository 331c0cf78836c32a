/** Finds the problems in the settings that prevent runs on the chosen host. */
import { modelForRole } from "@bridle/core";
import { ConfigError, isBridleError } from "@bridle/protocol";
import { hostOf } from "../registries/host-registry.ts";
import { positionOfModels, type Settings } from "../settings/settings.ts";
import { shownField } from "../settings/shown-field.ts";
import { findMissingHostSettings, missingError } from "./requirements.ts";

/** Returns one error for each problem, with the message with which a run would fail. Starts and sends nothing. */
export function findHostProblems(settings: Settings): ConfigError[] {
  const { backend } = settings.provider;
  const missing = findMissingHostSettings(settings).map((each) => missingError(each, `backend: ${backend}`, settings));
  return [...missing, ...findModelProblems(settings)];
}

const field = "llm.models.default";

function findModelProblems(settings: Settings): ConfigError[] {
  const { provider, models, written, positions } = settings;
  const host = hostOf(provider.backend);
  const model = models.default;
  if (host.hasModels === false) return [];
  if (model === undefined) return withoutDefault(settings);
  const refusal = host.models.refusal?.(model, provider);
  if (refusal === undefined) return [];
  const position = positions[field];
  const message = refusal.replace(`"${model}"`, `"${written[field] ?? model}"`); // a name from the environment is not shown
  const subject = position ? `${shownField(field, settings)}: ` : "";
  return [new ConfigError(`${subject}${message}`, { field, ...(position && { position }) })];
}

function withoutDefault(settings: Settings): ConfigError[] {
  try {
    modelForRole(settings.models, "default", positionOfModels(settings));
    return [];
  } catch (error) {
    if (isBridleError(error) && error instanceof ConfigError) return [error];
    throw error;
  }
}
