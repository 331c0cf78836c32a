import { openProject, type Project, type ProjectOptions } from "@bridle/project";
import type { AppContext } from "./app-context.ts";

/** Selects the project of a use case, and a user if one server has several. */
export interface ProjectSelector {
  /** The folder of `bridle.yaml`. Default: the nearest folder with this file, from the working directory upward. */
  readonly projectDir?: string | undefined;
  /** The id of one user of a server. Default: the project's own state and credentials. */
  readonly namespace?: string | undefined;
}

/** A context with an open project. The project's `bridle.yaml` is read only once. */
export interface ProjectContext extends AppContext {
  readonly project: Project;
}

/**
 * Opens the project for one or more use cases. If the context has an open project, its `bridle.yaml` is not read again.
 * Throws ConfigError if a setting is wrong.
 */
export async function withProject<C extends AppContext & Partial<ProjectContext>>(
  selector: ProjectSelector,
  context: C,
): Promise<C & ProjectContext> {
  const project = await openProject({ ...projectOptions(selector, context), project: context.project });
  return { ...context, project };
}

/** Converts the selector to options of a project. A namespace gets no credentials from the environment of this process. */
function projectOptions(
  { projectDir, namespace }: ProjectSelector,
  { cwd, environment, trust }: Pick<AppContext, "cwd" | "environment" | "trust">,
): Pick<ProjectOptions, "projectDir" | "namespace" | "environment" | "processEnvironment" | "cwd" | "trust"> {
  const owner = namespace === undefined ? { environment } : { namespace, processEnvironment: environment };
  return { projectDir, cwd, trust, ...owner };
}
