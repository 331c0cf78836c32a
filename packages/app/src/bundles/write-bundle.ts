import { collectSupportFacts } from "@bridle/project";
import { StoreError } from "@bridle/protocol";
import type { AppContext } from "../context/app-context.ts";
import { type ProjectLocation, settingsOptions } from "../context/project-location.ts";
import { type EventTarget, findEvents, withEventLog } from "../events/event-log.ts";
import { claimOutput } from "../files/output-file.ts";
import { type BundledEvents, makeBundle } from "./make-bundle.ts";

export interface WriteBundleOptions extends ProjectLocation {
  /** The file to write. Default: `bridle-<id>.tar.gz`. */
  readonly out?: string | undefined;
  /** Overwrite an existing file. */
  readonly force?: boolean | undefined;
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
  const facts = await collectSupportFacts(settingsOptions(options, context), context.cwd);
  const write = async (happened?: BundledEvents, untold?: string) => {
    const name = options.out ?? nameBundle(happened?.target);
    const file = await claimOutput(name, { cwd: context.cwd, flag: "--out", force: options.force ?? false });
    const { version } = context;
    await file.write(
      makeBundle({ happened, untold, facts, version, withArtifacts: options.artifacts ?? false, at: new Date() }),
    );
    return name;
  };
  if (facts.fault !== undefined && id === undefined) {
    return write(undefined, `the event log cannot be found: ${facts.fault}`);
  }
  const written = withEventLog(options, context, async (eventLog) => {
    if (id === undefined && eventLog.runs({ last: 1 }).length === 0) return write();
    return write({ target: findEvents(eventLog, id), eventLog });
  });
  return written.catch((error: unknown) => {
    if (id === undefined && error instanceof StoreError) return write(undefined, error.message);
    throw error;
  });
}

function nameBundle(target: EventTarget | undefined): string {
  if (target === undefined) return "bridle-project.tar.gz";
  const id = "runId" in target ? target.runId : target.sessionId;
  return `bridle-${id.replaceAll(/[^\w-]/g, "_")}.tar.gz`;
}
