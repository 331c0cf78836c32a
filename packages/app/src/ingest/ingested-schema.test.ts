import { expect, test } from "vitest";
import { type IngestedContext, ingestedContextSchema, isWholeIngest } from "./ingested-schema.ts";

const whole = ingestedContextSchema.parse({
  ended: "complete",
  startedAt: "2026-06-01T00:00:00Z",
  durationMs: 1,
  state: "applied",
  items: { total: 1, finished: 1 },
  claims: { current: 1, contested: 0, superseded: 0, removed: 0 },
  accepted: 1,
  sources: [],
  removedSources: [],
  stages: [],
  rejected: [],
  unfinished: [],
  instructions: [],
  findings: [],
  notes: [],
  added: [],
  changed: [],
  evicted: [],
  resourced: [],
  superseded: [],
  contested: [],
  settled: [],
  refused: [],
  undecided: [],
  undecidedTopics: [],
  failedQuestions: [],
  decisions: [],
  files: [],
  failedFiles: [],
  fileNotes: [],
  differences: [],
});
const noting = (kind: IngestedContext["fileNotes"][number]["kind"]): IngestedContext => ({
  ...whole,
  fileNotes: [{ kind, file: "context/models/trips.yaml", message: "It stays as it is." }],
});

test.each(["unchecked", "unreadable"] as const)(
  "an ingest that leaves a file because it is %s is not whole",
  (kind) => {
    expect(isWholeIngest(noting(kind))).toBe(false);
  },
);

test.each(["removed", "edited", "kept", "contested", "left-out", "copy"] as const)(
  "an ingest with a note that something is %s is whole",
  (kind) => {
    expect([isWholeIngest(whole), isWholeIngest(noting(kind))]).toEqual([true, true]);
  },
);
