import { join, relative, resolve } from "node:path";
import { createPrivateFolder } from "@bridle/core";
import { bridleFolder, factsWithoutProject } from "@bridle/project";
import { ConfigError, isBridleError, StoreError, systemErrorCode } from "@bridle/protocol";
import type { AppContext } from "../context/app-context.ts";
import { type ProjectSelector, withProject } from "../context/project-context.ts";
import { type EventTarget, findEvents, withEventLog } from "../events/event-log.ts";
import { claimOutput } from "../files/output-file.ts";
import { type BundledEvents, type BundleParts, makeBundle } from "./make-bundle.ts";
import { readSurroundings } from "./run-surroundings.ts";

export interface WriteBundleOptions extends ProjectSelector {
  /** The file to write. Default: `bridle-<id>.tar.gz` in `bundles` of the project's state folder, which git ignores. */
  readonly out?: string | undefined;
  /** Whether to overwrite an existing file. By default, only the default file is overwritten. */
  readonly force?: boolean | undefined;
  /** The option that sets the file, for error messages. Default: `--out`. */
  readonly flag?: string | undefined;
  /** Include whole model inputs and tool results. */
  readonly artifacts?: boolean | undefined;
}

/**
 * Writes the bundle of a run or a session, and returns the name of the file. Without an id, the bundle contains the newest run, or only the
 * project if the event log is empty or cannot be read. Throws ConfigError if the bundle would contain a credential.
 */
export async function writeBundle(
  id: string | undefined,
  options: WriteBundleOptions,
  context: AppContext,
): Promise<string> {
  const opened = await tryOpen(options, context);
  if (opened instanceof Error) {
    if (id !== undefined) throw opened;
    const facts = await factsWithoutProject(opened, context.environment);
    const content = { facts, emptyReason: `the event log cannot be found: ${opened.message}` };
    return pack(content, bridleFolder({ projectDir: options.projectDir ?? "" }), options, context);
  }
  const { project } = opened;
  const { folder } = project;
  const packed = withEventLog(opened, async (eventLog) => {
    const isEmpty = id === undefined && (await eventLog.runs({ last: 1 })).length === 0;
    const happened = isEmpty ? undefined : { target: await findEvents(eventLog, id), eventLog };
    return pack({ ...(await readSurroundings(project, happened, context)), happened }, folder, options, context);
  });
  return packed.catch(async (error: unknown) => {
    if (id !== undefined || !(error instanceof StoreError)) throw error;
    return pack({ facts: await project.supportFacts(), emptyReason: error.message }, folder, options, context);
  });
}

/** Returns the open project, or the error if its configuration cannot be read. */
async function tryOpen(selector: ProjectSelector, context: AppContext) {
  try {
    return await withProject(selector, context);
  } catch (error) {
    if (isBridleError(error)) return error;
    throw error;
  }
}

interface BundleContent extends Pick<BundleParts, "facts" | "agent" | "leftOut"> {
  readonly happened?: BundledEvents | undefined;
  /** Why the bundle contains no events. */
  readonly emptyReason?: string;
}

/** Writes the bundle to `stateFolder`, which is the project's state folder, unless `options.out` names a file. */
async function pack(
  content: BundleContent,
  stateFolder: string,
  options: WriteBundleOptions,
  context: AppContext,
): Promise<string> {
  const { force = options.out === undefined, artifacts = false, flag = "--out" } = options;
  const { cwd, version } = context;
  const out = options.out ?? inFolder(join(resolve(cwd, stateFolder), "bundles"), content.happened?.target, cwd, flag);
  const file = await claimOutput(out, { cwd, flag, force });
  await makeBundle({ ...content, version, withArtifacts: artifacts, at: new Date() }, file);
  return out;
}

/** Returns the path of a bundle in the bundle folder, relative to the working directory. Git ignores this folder. */
function inFolder(folder: string, target: EventTarget | undefined, cwd: string, flag: string): string {
  try {
    createPrivateFolder(folder);
  } catch (cause) {
    if (isBridleError(cause)) throw cause;
    const remedy = `Name a file in a writable folder after ${flag}.`;
    const message = `${folder} cannot be created (${systemErrorCode(cause)}). ${remedy}`;
    throw new ConfigError(message, { field: flag, cause });
  }
  return relative(cwd, join(folder, nameBundle(target)));
}

function nameBundle(target: EventTarget | undefined): string {
  if (target === undefined) return "bridle-project.tar.gz";
  const id = "runId" in target ? target.runId : target.sessionId;
  return `bridle-${id.replaceAll(/[^\w-]/g, "_")}.tar.gz`;
}
