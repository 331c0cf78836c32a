import type { SettingsOptions } from "@bridle/project";
import { omitUndefined } from "@bridle/protocol";
import type { AppContext } from "./app-context.ts";

/** Which project a use case is about, and for which user of a server. */
export interface ProjectLocation {
  /** The folder of `bridle.yaml`. Default: the nearest one upward from the working directory. */
  readonly projectDir?: string | undefined;
  /** The id of one user of a server. Default: the project's own state and credentials. */
  readonly namespace?: string | undefined;
}

/** The location as settings options. A namespace gets no credentials from the environment of this process. */
export function settingsOptions(
  { projectDir, namespace }: ProjectLocation,
  { environment }: Pick<AppContext, "environment">,
): Pick<SettingsOptions, "projectDir" | "namespace" | "environment" | "processEnvironment"> {
  const owner = namespace === undefined ? { environment } : { namespace, processEnvironment: environment };
  return { ...omitUndefined({ projectDir }), ...owner };
}
