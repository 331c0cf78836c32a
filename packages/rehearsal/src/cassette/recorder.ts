import { createRedactor, type RedactorOptions } from "@bridle/core";
import type { RunEvent } from "@bridle/protocol";
import { type Cassette, type CassetteOptions, createCassette } from "./cassette.ts";

export interface CassetteRecorderOptions extends RedactorOptions, Pick<CassetteOptions, "readArtifact"> {}

/** Collects the events of any number of runs, also at the same time. */
export interface CassetteRecorder {
  /** For `onEvent` of a runtime. */
  onEvent(event: RunEvent): void;
  /** The cassette of all runs so far. */
  cassette(): Cassette;
}

/**
 * Records runs into a cassette: a rehearsal script with the answers of the model.
 *
 * @example
 * const recorder = createCassetteRecorder({ environment: process.env });
 * const runtime = await createRuntime({ onEvent: recorder.onEvent });
 * // runs …
 * await writeFile("cassette.yaml", writeCassette(recorder.cassette(), { at: new Date() }));
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
    cassette: () => createCassette(runs.values(), { redactor, readArtifact }),
  };
}
