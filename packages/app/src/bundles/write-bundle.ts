import { factsWithoutProject } from "@bridle/project";
import { isBridleError, StoreError } from "@bridle/protocol";
import type { AppContext } from "../context/app-context.ts";
import { type ProjectSelector, withProject } from "../context/project-context.ts";
import { type EventTarget, findEvents, withEventLog } from "../events/event-log.ts";
import { claimOutput } from "../files/output-file.ts";
import { type BundledEvents, type BundleParts, makeBundle } from "./make-bundle.ts";
import { readSurroundings } from "./run-surroundings.ts";

export interface WriteBundleOptions extends ProjectSelector {
  /** The file to write. Default: `bridle-<id>.tar.gz`. */
  readonly out?: string | undefined;
  /** Overwrite an existing file. */
  readonly force?: boolean | undefined;
  /** What names the file, for the remedy of an error. Default: `--out`. */
  readonly flag?: string | undefined;
  /** Include whole model inputs and tool results. */
  readonly artifacts?: boolean | undefined;
}

/**
 * Writes the bundle of a run or a session, and returns the name of the file. Without an id: the newest run, or the project
 * alone if its event log is empty or cannot be read. Throws ConfigError if a credential would be in it.
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
    return pack({ facts, emptyReason: `the event log cannot be found: ${opened.message}` }, options, context);
  }
  const { project } = opened;
  const packed = withEventLog(opened, async (eventLog) => {
    const isEmpty = id === undefined && (await eventLog.runs({ last: 1 })).length === 0;
    const happened = isEmpty ? undefined : { target: await findEvents(eventLog, id), eventLog };
    return pack({ ...(await readSurroundings(project, happened, context)), happened }, options, context);
  });
  return packed.catch(async (error: unknown) => {
    if (id !== undefined || !(error instanceof StoreError)) throw error;
    return pack({ facts: await project.supportFacts(), emptyReason: error.message }, options, context);
  });
}

/** The open project, or why its configuration cannot be read. */
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
  /** Why there are no events. */
  readonly emptyReason?: string;
}

async function pack(content: BundleContent, options: WriteBundleOptions, context: AppContext): Promise<string> {
  const { out = nameBundle(content.happened?.target), force = false, artifacts = false, flag = "--out" } = options;
  const { cwd, version } = context;
  const file = await claimOutput(out, { cwd, flag, force });
  await makeBundle({ ...content, version, withArtifacts: artifacts, at: new Date() }, file);
  return out;
}

function nameBundle(target: EventTarget | undefined): string {
  if (target === undefined) return "bridle-project.tar.gz";
  const id = "runId" in target ? target.runId : target.sessionId;
  return `bridle-${id.replaceAll(/[^\w-]/g, "_")}.tar.gz`;
}
