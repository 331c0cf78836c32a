import type { BackendName, Models } from "@bridle/project";
import type { AppContext } from "../context/app-context.ts";
import { type ProjectSelector, withProject } from "../context/project-context.ts";

export interface ListAvailableModelsOptions extends ProjectSelector {
  /** Overrides the project's backend. */
  readonly backend?: BackendName | undefined;
  readonly signal: AbortSignal;
}

/** Lists the models of the backend. Throws a BridleError if the host refuses, or does not answer as expected. */
export async function listAvailableModels(
  { backend, signal, ...selector }: ListAvailableModelsOptions,
  context: AppContext,
): Promise<Models> {
  const { project } = await withProject(selector, context);
  return project.with({ backend }).models({ signal });
}
