import { createRedactor, type RedactorOptions } from "@bridle/core";
import type { EventLog, RunEvent } from "@bridle/protocol";
import { type Cassette, createCassette } from "./cassette.ts";

export interface CassetteRecorderOptions extends RedactorOptions {
  /** Reads stored texts of the event log. They distinguish runs that differ only in the system prompt. */
  readonly readArtifact?: EventLog["artifact"] | undefined;
}

/** Collects the events of any number of runs, including concurrent ones. */
export interface CassetteRecorder {
  /** Collects an event. Pass this function as `onEvent` of a runtime. */
  onEvent(event: RunEvent): void;
  /** Creates the cassette of all runs so far. */
  cassette(): Promise<Cassette>;
}

/**
 * Records runs into a cassette: a rehearsal script with the model's answers.
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

/** Reads what the model received in the runs, by id. */
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
