import { createRedactor, type RedactorOptions } from "@bridle/core";
import type { EventLog, RunEvent } from "@bridle/protocol";
import { type Cassette, createCassette } from "./cassette.ts";

export interface CassetteRecorderOptions extends RedactorOptions {
  /** Reads artifacts of the event log. They distinguish runs that differ only in the system prompt. */
  readonly readArtifact?: EventLog["artifact"] | undefined;
}

/** Collects the events of any number of runs, including concurrent ones. */
export interface CassetteRecorder {
  /** For `onEvent` of a runtime. */
  onEvent(event: RunEvent): void;
  /** The cassette of all runs so far. */
  cassette(): Promise<Cassette>;
}

/**
 * Records runs into a cassette: a rehearsal script with the answers of the model.
 *
 * @example
 * const recorder = createCassetteRecorder({ environment: process.env });
 * const runtime = await createRuntime({ onEvent: recorder.onEvent });
 * // runs …
 * await writeFile("cassette.yaml", writeCassette(await recorder.cassette(), { at: new Date() }));
 */
export function createCassetteRecorder({ readArtifact, ...known }: CassetteRecorderOptions = {}): CassetteRecorder {
  const redactor = createRedactor(known);
  const runs = new Map<string, RunEvent[]>();
  return {
    onEvent(event) {
      const events = runs.get(event.runId) ?? [];
      runs.set(event.runId, events);
      events.push(event);
    },
    async cassette() {
      const inputs = await readInputs(runs.values(), readArtifact);
      return createCassette(runs.values(), { redactor, readArtifact: (id) => inputs.get(id) });
    },
  };
}

/** The model's inputs in the runs, by their ids. */
async function readInputs(
  runs: Iterable<readonly RunEvent[]>,
  readArtifact: CassetteRecorderOptions["readArtifact"],
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const event of [...runs].flat()) {
    if (event.type !== "model.input" || found.has(event.artifact)) continue;
    const content = await readArtifact?.(event.artifact);
    if (content !== undefined) found.set(event.artifact, content);
  }
  return found;
}
