import { type SettingsOptions } from "@bridle/project";
import { type Cli } from "./cli.ts";
import { type Flag, type Flags } from "./command.ts";
import { z } from "zod";

const projectDirFlag = {
  flag: "--project-dir <folder>",
  description: "the folder of bridle.yaml, instead of the nearest upward",
  value: z.string().min(1),
  expected: "a folder",
} satisfies Flag;

const namespaceFlag = {
  flag: "--namespace <id>",
  description:
    "the state and the credentials of one user of a server, by the id that it gave; none of this environment's",
  value: z.string().min(1),
  expected: "an id",
} satisfies Flag;

/** For every command that reads or writes what is a project's. */
export const projectFlags = { projectDir: projectDirFlag, namespace: namespaceFlag } satisfies Flags;

export interface ProjectFlagValues {
  readonly projectDir?: string | undefined;
  readonly namespace?: string | undefined;
}

/** What the flags mean for settings. To a namespace this environment is not its user's. */
export function whereabouts(
  { projectDir, namespace }: ProjectFlagValues,
  { environment }: Pick<Cli, "environment">,
): Pick<SettingsOptions, "projectDir" | "namespace" | "environment" | "processEnvironment"> {
  return {
    ...(projectDir !== undefined && { projectDir }),
    ...(namespace === undefined ? { environment } : { namespace, processEnvironment: environment }),
  };
}
