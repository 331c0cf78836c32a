/** Tracks the calls and usage of each stage, and checks whether a budget suffices for the next call. */
import { noUsage, type Usage } from "@bridle/protocol";
import type { CallUse, IngestRole, TokenPrice } from "./ingest-models.ts";
import type { StageUse } from "./stage-use.ts";

interface StageTotals {
  calls: number;
  failedCalls: number;
  stored: number;
  usage: Usage;
  costUsd: number | undefined;
  startedAt: number | undefined;
  endedAt: number;
}

/** A call in progress, with the amount reserved for it. */
export interface Reservation {
  readonly role: IngestRole;
  readonly stage: string;
  /** The expected number of tokens. */
  readonly expected: { readonly input: number; readonly output: number };
  /** The reserved US dollars; undefined without a budget. */
  readonly usd: number | undefined;
  readonly startedAt: number;
}

export interface IngestSpendingOptions {
  readonly budgetUsd?: number | undefined;
  readonly priceOf: (role: IngestRole) => TokenPrice | undefined;
  readonly now: () => number;
}

/** Counts calls. With a budget, reserves dollars for calls in progress, so that the sum never exceeds the budget. */
export class IngestSpending {
  readonly #options: IngestSpendingOptions;
  readonly #stages = new Map<string, StageTotals>();
  /** The highest ratio of actual to expected usage so far, by stage. */
  readonly #factors = new Map<string, number>();
  readonly #observed = new Map<IngestRole, TokenPrice>();
  #spentUsd = 0;
  #reservedUsd = 0;
  #inProgress = 0;
  #hasUnknownCost = false;

  constructor(options: IngestSpendingOptions) {
    this.#options = options;
  }

  get spentUsd(): number {
    return this.#spentUsd;
  }

  /** The dollars that are neither spent nor reserved; undefined without a budget. */
  get freeUsd(): number | undefined {
    const { budgetUsd } = this.#options;
    return budgetUsd === undefined ? undefined : Math.max(0, budgetUsd - this.#spentUsd - this.#reservedUsd);
  }

  /** Whether the cost of a call is unknown, so that no budget can be kept. */
  get hasUnknownCost(): boolean {
    return this.#hasUnknownCost;
  }

  get inProgress(): number {
    return this.#inProgress;
  }

  /** Returns the estimated cost of a call, in US dollars; undefined if no price is known. */
  estimate(role: IngestRole, stage: string, expected: Reservation["expected"]): number | undefined {
    const price = this.#options.priceOf(role) ?? this.#observed.get(role);
    if (price === undefined) return undefined;
    return (expected.input * price.input + expected.output * price.output) * (this.#factors.get(stage) ?? 1);
  }

  begin(role: IngestRole, stage: string, expected: Reservation["expected"], usd: number | undefined): Reservation {
    this.#inProgress += 1;
    this.#reservedUsd += usd ?? 0;
    const startedAt = this.#options.now();
    const totals = this.#totals(stage);
    totals.startedAt ??= startedAt;
    return { role, stage, expected, usd, startedAt };
  }

  end({ role, stage, expected, usd }: Reservation, { usage, costUsd }: CallUse, isFailed: boolean): void {
    this.#inProgress -= 1;
    this.#reservedUsd = Math.max(0, this.#reservedUsd - (usd ?? 0));
    this.#spentUsd += costUsd ?? 0;
    const totals = this.#totals(stage);
    totals.calls += 1;
    if (isFailed) totals.failedCalls += 1;
    totals.usage = sum(totals.usage, usage);
    totals.endedAt = this.#options.now();
    const used = inputOf(usage) + usage.outputTokens > 0;
    if (used && costUsd === undefined) this.#hasUnknownCost = true;
    if (costUsd !== undefined) {
      totals.costUsd = (totals.costUsd ?? 0) + costUsd;
      this.#learn(role, stage, expected, { usage, costUsd });
    }
  }

  /** Counts questions with a stored answer. */
  addStored(stage: string, count = 1): void {
    this.#totals(stage).stored += count;
  }

  get stages(): readonly StageUse[] {
    return Array.from(this.#stages, ([stage, { usage, startedAt, endedAt, ...totals }]) => ({
      stage,
      calls: totals.calls,
      failedCalls: totals.failedCalls,
      stored: totals.stored,
      costUsd: totals.costUsd,
      inputTokens: inputOf(usage),
      outputTokens: usage.outputTokens,
      durationMs: startedAt === undefined ? 0 : Math.max(0, endedAt - startedAt),
    }));
  }

  get tokens(): number {
    return this.stages.reduce((total, { inputTokens, outputTokens }) => total + inputTokens + outputTokens, 0);
  }

  get calls(): number {
    return this.stages.reduce((total, { calls }) => total + calls, 0);
  }

  #learn(role: IngestRole, stage: string, expected: Reservation["expected"], { usage, costUsd = 0 }: CallUse): void {
    const weight = inputOf(usage) + outputWeight * usage.outputTokens;
    if (costUsd > 0 && weight > 0) {
      const known = this.#observed.get(role)?.input ?? 0;
      const input = Math.max(known, costUsd / weight);
      this.#observed.set(role, { input, output: input * outputWeight });
    }
    const price = this.#options.priceOf(role) ?? this.#observed.get(role);
    const plain = price && expected.input * price.input + expected.output * price.output;
    if (plain) this.#factors.set(stage, Math.max(this.#factors.get(stage) ?? 1, costUsd / plain));
  }

  #totals(stage: string): StageTotals {
    const known = this.#stages.get(stage);
    if (known !== undefined) return known;
    const fresh: StageTotals = {
      calls: 0,
      failedCalls: 0,
      stored: 0,
      usage: noUsage,
      costUsd: undefined,
      startedAt: undefined,
      endedAt: 0,
    };
    this.#stages.set(stage, fresh);
    return fresh;
  }
}

/** The usual price of an output token, divided by that of an input token. */
const outputWeight = 5;

function inputOf({ inputTokens, cacheReadTokens, cacheWriteTokens }: Usage): number {
  return inputTokens + cacheReadTokens + cacheWriteTokens;
}

function sum(a: Usage, b: Usage): Usage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cacheReadTokens: a.cacheReadTokens + b.cacheReadTokens,
    cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
  };
}
