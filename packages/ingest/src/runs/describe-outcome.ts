import { counted } from "@bridle/protocol";
import type { MeteredModels } from "../models/metered-models.ts";
import type { IngestStore } from "../store/ingest-store.ts";
import type { CollectedCandidates } from "./collect-candidates.ts";
import { describeMark } from "./describe-mark.ts";
import type { FoundInstruction, IngestOutcome, Unfinished } from "./ingest-outcome.ts";
import { readVersionText } from "./stage-item.ts";
import type { FetchedSource } from "./stage-source.ts";

interface RunState {
  readonly store: IngestStore;
  readonly models: MeteredModels;
  readonly fetched: readonly FetchedSource[];
  readonly removedSources: readonly string[];
  /** Undefined if the run was stopped earlier. */
  readonly collected: CollectedCandidates | undefined;
  readonly unfinished: readonly Unfinished[];
  readonly isScanned: boolean;
  readonly isStopped: boolean;
  readonly startedAt: number;
  readonly endedAt: number;
}

export function describeOutcome(state: RunState): IngestOutcome {
  const { store, models, collected, fetched, startedAt, endedAt } = state;
  const own = fetched.flatMap(({ source, ownOutput }) => ownOutput.map((item) => ({ source, item })));
  return {
    ...endOf(state),
    startedAt: new Date(startedAt).toISOString(),
    durationMs: Math.max(0, endedAt - startedAt),
    sources: fetched.map((each) => ({
      ...each,
      ownOutput: [...each.ownOutput],
      removed: [...each.removed],
      problems: [...each.problems],
    })),
    removedSources: [...state.removedSources],
    items: collected?.items ?? { total: store.items.count(), finished: 0 },
    stages: [...models.spending.stages],
    accepted: collected?.checked.length ?? 0,
    rejected: [
      ...own.map((item) => ({ ...item, gate: "our_own_output" as const, reason: ownReason, quote: "", statement: "" })),
      ...(collected?.rejected ?? []),
    ],
    unfinished: [...state.unfinished],
    instructions: [...listInstructions(store), ...(collected?.instructions ?? [])],
    findings: store.sources.list().flatMap(({ name, findings }) => findings.map((each) => ({ source: name, ...each }))),
    notes: state.isScanned ? [] : [unscanned],
  };
}

const ownReason = "Bridle wrote it itself, so it cannot be a source. Leave it out of the source.";
const unscanned =
  'No warehouse has been scanned, so names of tables and columns were not checked. Run "bridle context scan", and ingest again.';

function endOf({ models, isStopped, unfinished }: RunState): Pick<IngestOutcome, "ended" | "endReason" | "opensAt"> {
  if (isStopped) return { ended: "stopped", endReason: "It was stopped. What was answered until then is stored." };
  const left = new Set(unfinished.filter(({ state }) => state === "left").flatMap(({ items }) => items)).size;
  const rest = `${counted(left, "item")} ${left === 1 ? "is" : "are"} left for the next run.`;
  if (models.limit !== undefined) {
    const { message, resetsAt } = models.limit;
    return { ended: "limit", endReason: `${message} ${rest}`, ...(resetsAt && { opensAt: resetsAt.toISOString() }) };
  }
  if (models.isOverBudget) return { ended: "budget", endReason: `The budget is used up. ${rest}` };
  return { ended: "complete" };
}

/** Yields the texts and names in all current items that address an assistant according to rules. */
function* listInstructions(store: IngestStore): Iterable<FoundInstruction> {
  for (const { item, withheld } of store.items.list()) {
    const { source, id } = item;
    for (const quote of withheld) yield { source, item: id, where: "name", quote, reason: "addresses an assistant" };
    if ((store.readVersion(item.version)?.marks.length ?? 0) === 0) continue;
    const { text = "", marks = [] } = readVersionText(item.version, store) ?? {};
    for (const mark of marks) yield describeMark(item, text, mark);
  }
}
