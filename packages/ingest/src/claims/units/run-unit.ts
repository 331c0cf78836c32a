import type { AnyTool } from "@bridle/protocol";
import { getErrorMessage } from "@bridle/protocol";
import type { AttemptStore, StoredAnswer } from "../../models/answers.ts";
import type { LoopEnd } from "../../models/ingest-models.ts";
import { isWindowUsedUp, type MeteredModels, throwIfFinal } from "../../models/metered-models.ts";
import { withoutSecrets } from "../../staging/remove-secrets.ts";
import type { GateServices } from "../gates/gate.ts";
import { UnitPassages, unitPrompt, unitSystem } from "./unit-passages.ts";
import { UnitProposals } from "./unit-proposals.ts";
import { unitTools } from "./unit-tools.ts";
import type { WorkUnit } from "./work-unit.ts";

export interface UnitServices {
  readonly models: MeteredModels;
  readonly answers: AttemptStore;
  readonly gates: GateServices;
  readonly contextTools: readonly AnyTool[];
  readonly stepBudget: number;
  readonly signal: AbortSignal;
  onStep?(unit: string, step: { readonly index: number; readonly budget: number }): void;
}

/** How a unit ended. `done`: its answers are stored. */
export interface UnitEnd {
  readonly unit: WorkUnit;
  readonly state: "done" | "incomplete" | "failed" | "left";
  readonly reason: string;
  /** Whether the unit may succeed if it is tried again in the same run. */
  readonly isRetryable: boolean;
}

/**
 * Lets a model work on a unit, and stores the proposals when the unit ends. If the unit finished by itself, the proposals are its final
 * answer. If not, they are an attempt, which the next run replaces. Rejects if `signal` is aborted or the store cannot be written.
 */
export async function runUnit(unit: WorkUnit, services: UnitServices): Promise<UnitEnd> {
  const { models, gates, contextTools, stepBudget, signal, onStep } = services;
  const passages = new UnitPassages(unit);
  const proposals = new UnitProposals(passages, gates);
  const tools = unitTools(passages, proposals, contextTools);
  let end: LoopEnd;
  try {
    end = await models.loop({
      role: "default",
      stage: "unit",
      unit: unit.name,
      system: unitSystem(),
      prompt: unitPrompt(passages),
      tools,
      stepBudget,
      signal,
      expectedOutputTokens: 2000,
      onStep: (step) => onStep?.(unit.name, step),
    });
  } catch (error) {
    signal.throwIfAborted();
    return toEnd(unit, error, proposals);
  }
  signal.throwIfAborted();
  store(unit, proposals, end, services);
  if (end.stopReason === "natural") return { unit, state: "done", reason: "", isRetryable: false };
  return toEnd(unit, end.error, proposals, end.steps >= stepBudget ? "all of its steps" : "its part of the budget");
}

function store(unit: WorkUnit, proposals: UnitProposals, end: LoopEnd, { answers, gates }: UnitServices): void {
  const stored = unit.items.map((item): StoredAnswer => {
    const value = withoutSecrets({ proposals: proposals.of(item) }, gates.removeSecrets);
    return { key: item.key, role: "default", stage: "unit", value, versions: [item.opened.item.version] };
  });
  if (end.stopReason === "natural") answers.write(stored, end);
  else if (proposals.accepted > 0) answers.writeAttempt(stored, end);
}

function toEnd(unit: WorkUnit, error: unknown, proposals: UnitProposals, used = ""): UnitEnd {
  if (error === undefined) {
    const reason = `It used ${used}. ${proposals.accepted} proposals were accepted until then.`;
    return { unit, state: "incomplete", reason, isRetryable: false };
  }
  throwIfFinal(error);
  const isLeft = isWindowUsedUp(error) || error.code === "budget_exceeded";
  const reason = getErrorMessage(error);
  return { unit, state: isLeft ? "left" : "failed", reason, isRetryable: error.retryable && !isLeft };
}
