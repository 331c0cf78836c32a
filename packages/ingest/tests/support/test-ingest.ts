/** A store in a temporary folder, and ingest runs with it. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRedactor } from "@bridle/core";
import { onTestFinished } from "vitest";
import type { CheckedCandidate } from "../../src/claims/checked-candidate.ts";
import { ingest } from "../../src/runs/ingest.ts";
import type { IngestOptions } from "../../src/runs/ingest-options.ts";
import type { IngestOutcome } from "../../src/runs/ingest-outcome.ts";
import type { IngestSource } from "../../src/sources/source.ts";
import { type IngestStore, openIngestStore } from "../../src/store/ingest-store.ts";
import { ferryKnowledge } from "./ferry-knowledge.ts";

export interface TestRun {
  readonly outcome: IngestOutcome;
  /** The candidates; undefined if the run was stopped. */
  readonly checked: readonly CheckedCandidate[] | undefined;
}

type TestOptions = Partial<Omit<IngestOptions<readonly CheckedCandidate[]>, "finish">> &
  Pick<IngestOptions<unknown>, "models">;

export class TestIngest {
  readonly stateDir: string;
  readonly store: IngestStore;

  constructor(stateDir = mkdtempSync(join(tmpdir(), "bridle-ingest-"))) {
    this.stateDir = stateDir;
    this.store = openIngestStore({ stateDir });
    onTestFinished(() => {
      this.store.close();
      rmSync(stateDir, { recursive: true, force: true });
    });
  }

  async run(source: IngestSource | readonly IngestSource[], options: TestOptions): Promise<TestRun> {
    const sources = "fetch" in source ? [source] : source;
    const { outcome, result } = await ingest({
      sources,
      store: this.store,
      knowledge: ferryKnowledge,
      redactor: createRedactor(),
      ...options,
      finish: async (checked) => checked,
    });
    return { outcome, checked: result };
  }
}

/** Returns the candidates in short form: item and wording, in order. */
export function foundIn(checked: readonly CheckedCandidate[] = []): readonly string[] {
  return checked.map(({ source: { item, wording } }) => `${item}: ${wording}`).sort();
}
