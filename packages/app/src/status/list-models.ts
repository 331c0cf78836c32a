import { type BackendName, describeAvailableModels, type Models } from "@bridle/project";
import { omitUndefined } from "@bridle/protocol";
import type { AppContext } from "../context/app-context.ts";
import { type ProjectLocation, settingsOptions } from "../context/project-location.ts";

export interface ListModelsOptions extends ProjectLocation {
  /** Instead of the project's. */
  readonly backend?: BackendName | undefined;
  readonly signal: AbortSignal;
}

/** Lists the models of the backend. Throws a BridleError if the host refuses, or does not answer as expected. */
export function listModels({ backend, signal, ...location }: ListModelsOptions, context: AppContext): Promise<Models> {
  const options = { ...settingsOptions(location, context), ...omitUndefined({ backend }), signal };
  return describeAvailableModels(options, context.cwd);
}
