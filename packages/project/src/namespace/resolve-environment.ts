import { ConfigError } from "@bridle/protocol";
import { locateProject, type ProjectLocation } from "../config/locate.ts";
import type { Environment } from "../config/variables.ts";
import { namespaceEnvironment } from "./environment.ts";
import { bridleFolder } from "./folders.ts";

/** The options that select the user whose variables and state a project uses. */
export interface TenantOptions {
  projectDir?: string | undefined;
  namespace?: string;
  environment?: Environment | undefined;
  processEnvironment?: Environment | undefined;
}

/** The environment for a project's file and host. */
export interface TenantEnvironment {
  readonly environment: Environment;
  readonly namespace?: string;
  /** This process's environment, if `environment` is a different one. */
  readonly processEnvironment?: Environment;
}

/** Finds the project, using the variables in the options. Throws ConfigError. */
export function locateTenantProject(options: TenantOptions, cwd: string): ProjectLocation {
  const { projectDir, environment: given, processEnvironment = process.env } = options;
  requireNamespace(options);
  const environment = options.namespace === undefined ? (given ?? processEnvironment) : processEnvironment;
  return locateProject({ cwd, projectDir, environment });
}

/**
 * Returns the variables that a project uses: the given variables, else this process's. In a namespace, they never contain a credential of
 * this process. Throws ConfigError for a namespace that is not a text.
 */
export function resolveEnvironment(options: TenantOptions, location: ProjectLocation): TenantEnvironment {
  const { namespace, environment: given, processEnvironment = process.env } = options;
  requireNamespace(options);
  if (namespace === undefined) return { environment: given ?? processEnvironment };
  const folder = bridleFolder({ ...location, namespace });
  const environment = namespaceEnvironment(folder, given ?? {}, processEnvironment);
  return { environment, namespace, processEnvironment };
}

/** Refuses a namespace that is not a string: if the user was not found, the caller must not get access to the process's own state. */
function requireNamespace(options: TenantOptions): void {
  const { namespace } = options;
  if (!Object.hasOwn(options, "namespace") || typeof namespace === "string") return;
  throw new ConfigError(
    `The namespace is ${namespace}, but must be a text. Pass the id of the user, or leave namespace out for your own runs.`,
    { field: "namespace" },
  );
}
