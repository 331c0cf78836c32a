import { type FileHandle, mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { temporaryPrefix } from "@bridle/core";
import type { ProjectContext } from "../context/project-context.ts";
import type { EventTarget, ProjectEventLog } from "../events/event-log.ts";
import type { TemporaryFiles } from "../files/output-file.ts";
import { collectBundle } from "./make-bundle.ts";
import { readSurroundings } from "./run-surroundings.ts";

export interface StreamBundleOptions {
  readonly target: EventTarget;
  readonly eventLog: ProjectEventLog;
  /** Include whole model inputs and tool results. */
  readonly artifacts: boolean;
}

/**
 * Creates the bundle of a run or a session, and yields it in pieces. Memory use does not grow with the number of events.
 *
 * @throws ConfigError before the first piece if the bundle would contain a credential, or if it is too large.
 */
export async function* streamBundle(
  { target, eventLog, artifacts }: StreamBundleOptions,
  context: ProjectContext,
): AsyncGenerator<Uint8Array> {
  const { project, version } = context;
  const happened = { target, eventLog };
  const surroundings = await readSurroundings(project, happened, context);
  const files = new NamelessFiles();
  try {
    const parts = { ...surroundings, happened, version, withArtifacts: artifacts, at: new Date() };
    yield* await collectBundle(parts, files);
  } finally {
    await files.close();
  }
}

/** Creates temporary files without a name, so that nothing is left of them even if the process is killed. */
class NamelessFiles implements TemporaryFiles {
  readonly #opened: FileHandle[] = [];

  async create(): Promise<FileHandle> {
    const folder = await mkdtemp(join(tmpdir(), temporaryPrefix("bridle-bundle"))); // for this user only
    try {
      const file = await open(join(folder, "part"), "wx+", 0o600);
      this.#opened.push(file);
      return file;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  async close(): Promise<void> {
    for (const file of this.#opened) await file.close();
  }
}
