import { ConfigError } from "@bridle/protocol";
import { locateProject, type ProjectPlace } from "../config/locate.ts";
import type { Environment } from "../config/variables.ts";
import type { Settings, SettingsOptions } from "../settings.ts";
import { namespaceEnvironment } from "./environment.ts";
import { bridleFolder } from "./places.ts";

interface Surroundings {
  readonly place: ProjectPlace;
  readonly environment: Environment;
  readonly namespaced: Pick<Settings, "namespace" | "processEnvironment">;
}

/** The project, and the environment that its file and its host see. Throws ConfigError. */
export function surroundingsOf(options: SettingsOptions, cwd: string): Surroundings {
  const { projectDir, namespace, environment: handed, processEnvironment = process.env } = options;
  if (!Object.hasOwn(options, "namespace")) {
    const environment = handed ?? processEnvironment;
    return { place: locateProject({ cwd, projectDir, environment }), environment, namespaced: {} };
  }
  requireNamespace(namespace);
  const place = locateProject({ cwd, projectDir, environment: processEnvironment });
  const folder = bridleFolder({ ...place, namespace });
  const environment = namespaceEnvironment(folder, handed ?? {}, processEnvironment);
  return { place, environment, namespaced: { namespace, processEnvironment } };
}

/** A user who was not found must not get what is the process's own. */
function requireNamespace(namespace: unknown): asserts namespace is string {
  if (typeof namespace === "string") return;
  const message = `The namespace is ${namespace}, and has to be a text. Name the user whose runs these are, or leave namespace out for runs of your own.`;
  throw new ConfigError(message, { field: "namespace" });
}
