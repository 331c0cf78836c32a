/** A project in a temporary folder that ingests random documents. */
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRedactor } from "@bridle/core";
import { writeKnowledge } from "../../../src/runs/changes/write-knowledge.ts";
import { ingest } from "../../../src/runs/ingest.ts";
import { openIngestStore } from "../../../src/store/ingest-store.ts";
import { ferryKnowledge } from "../ferry-knowledge.ts";
import { type Disturbance, type Documents, sourcesOf } from "./random-history.ts";
import { SentenceModel } from "./sentence-model.ts";

const none: Disturbance = { kind: "none", after: 0 };

export class RandomProject {
  readonly projectDir = mkdtempSync(join(tmpdir(), "bridle-random-"));
  readonly stateDir = join(this.projectDir, ".bridle");
  readonly store = openIngestStore({ stateDir: this.stateDir });
  readonly models: SentenceModel;

  constructor(options: { readonly isLying: boolean }) {
    this.models = new SentenceModel(options);
  }

  async run(documents: Documents, disturbance: Disturbance = none) {
    const { projectDir, stateDir, store, models } = this;
    const stopping = new AbortController();
    const mode = disturbance.kind === "dry" ? "plan" : "apply";
    models.disturb(disturbance, () => stopping.abort());
    const { outcome, result } = await ingest({
      sources: sourcesOf(documents),
      store,
      models,
      knowledge: ferryKnowledge,
      redactor: createRedactor(),
      signal: stopping.signal,
      isPlan: mode === "plan",
      finish: (checked, reading) =>
        writeKnowledge(checked, reading, { projectDir, stateDir, mode, reason: "ingest: random" }),
    });
    return { outcome, result };
  }

  loseRecord(): void {
    rmSync(join(this.projectDir, "context/written.yaml"), { force: true });
  }

  pages(): Readonly<Record<string, string>> {
    const files = globSync("context/**/*", { cwd: this.projectDir, withFileTypes: true }).filter((each) =>
      each.isFile(),
    );
    const named = files.map(({ parentPath, name }) => join(parentPath, name)).sort();
    return Object.fromEntries(named.map((file) => [file.slice(this.projectDir.length), readFileSync(file, "utf8")]));
  }

  close(): void {
    this.store.close();
    rmSync(this.projectDir, { recursive: true });
  }
}
