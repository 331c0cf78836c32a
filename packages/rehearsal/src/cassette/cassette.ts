import { createRedactor, type Redactor } from "@bridle/core";
import type { RunEvent } from "@bridle/protocol";
import { asLiteral } from "../engine/template.ts";
import type { ScriptInput } from "../script/schema.ts";
import { textsOf } from "./conditions.ts";
import { type Exchange, exchangesOf, type ReadArtifact } from "./exchanges.ts";
import { type StepInput, stepsOf } from "./steps.ts";
import { mendingTurns, type Scene, toTurns, withoutRepeats } from "./turns.ts";

/** A rehearsal script that plays what a model said in real runs. */
export interface Cassette {
  readonly script: ScriptInput;
  /** How many runs it was made from. */
  readonly runs: number;
  readonly backends: readonly string[];
  readonly models: readonly string[];
  /** What it does not play as it was, in sentences for a person. */
  readonly warnings: readonly string[];
}

export interface CassetteOptions {
  /** Takes credentials out of everything. Default: those that can be told by their form. */
  readonly redactor?: Redactor;
  /** The record's artifacts: with them, runs that differ in nothing but the system prompt can be told apart. */
  readonly readArtifact?: ReadArtifact;
}

/**
 * Makes a cassette from the events of runs, in the order in which the runs began, whatever order they come in. Without
 * turns where no model was asked.
 */
export function cassetteOf(runs: Iterable<readonly RunEvent[]>, options: CassetteOptions = {}): Cassette {
  const { redactor = createRedactor(), readArtifact = () => undefined } = options;
  const ordered = [...runs]
    .filter((events) => events.length > 0)
    .map(inOrder)
    .toSorted(byStart);
  const warnings: string[] = [];
  const scenes = ordered.flatMap((events) => {
    const parts = exchangesOf(events, readArtifact).map((exchange) => ({ exchange, ...stepsOf(exchange) }));
    warnings.push(
      ...parts.flatMap((part) => part.warnings.map((warning) => `${nameOf(part.exchange, redactor)}: ${warning}`)),
    );
    return parts.map(({ exchange }, index) => toScene(exchange, stepsFrom(parts, index), redactor));
  });
  const playable = scenes.filter(({ steps }) => steps.length > 0);
  const { distinct, lost } = withoutRepeats(playable);
  return {
    script: { rehearsal: 1, turns: [...mendingTurns(ordered), ...toTurns(distinct)] },
    runs: ordered.length,
    backends: namesIn(ordered, (event) => (event.type === "run.started" ? event.backend : undefined), redactor),
    models: namesIn(ordered, (event) => (event.type === "step.started" ? event.model : undefined), redactor),
    warnings: [
      ...warnings,
      ...lost.map(({ texts }) => `${quote(texts)} was asked again and answered otherwise: the first answer is kept`),
    ],
  };
}

function inOrder(events: readonly RunEvent[]): RunEvent[] {
  return events.toSorted((a, b) => a.seq - b.seq);
}

function byStart([a]: readonly RunEvent[], [b]: readonly RunEvent[]): number {
  if (a === undefined || b === undefined) return 0;
  return a.time - b.time || (a.runId < b.runId ? -1 : 1);
}

interface Part {
  readonly exchange: Exchange;
  readonly steps: readonly StepInput[];
}

/**
 * Some hosts ask again for a valid object within the same message, and others with another one: the first message is
 * given all the answers, so that it plays on both.
 */
function stepsFrom(parts: readonly Part[], index: number): readonly StepInput[] {
  const [own] = parts.slice(index);
  if (own === undefined) return [];
  return own.exchange.operation === "object" ? parts.slice(index).flatMap(({ steps }) => steps) : own.steps;
}

function toScene({ prompt, system, message }: Exchange, steps: readonly StepInput[], redactor: Redactor): Scene {
  return {
    texts: textsOf(prompt).map(redactor.text),
    system: { static: redactor.text(system.static.trim()), dynamic: redactor.text(system.dynamic.trim()) },
    message,
    steps: steps.map((step) => toLiteral(redactor.value(step) as StepInput)),
  };
}

/** What the model said is played as it was, also where it looks like a template. */
function toLiteral(step: StepInput): StepInput {
  const { calls } = step;
  return {
    ...step,
    ...(step.think !== undefined && { think: asLiteral(step.think) }),
    ...(step.say !== undefined && { say: asLiteral(step.say) }),
    ...(step.with !== undefined && { with: literalValue(step.with) }),
    ...(step.object !== undefined && { object: literalValue(step.object) }),
    ...(calls && { calls: calls.map((call) => ("with" in call ? { ...call, with: literalValue(call.with) } : call)) }),
  };
}

function literalValue(value: unknown): unknown {
  if (typeof value === "string") return asLiteral(value);
  if (Array.isArray(value)) return value.map(literalValue);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, literalValue(item)]));
}

function namesIn(
  runs: readonly (readonly RunEvent[])[],
  nameIn: (event: RunEvent) => string | undefined,
  redactor: Redactor,
): string[] {
  return [...new Set(runs.flatMap((events) => events.flatMap((event) => nameIn(event) ?? [])))].map(redactor.text);
}

function nameOf({ prompt }: Exchange, redactor: Redactor): string {
  return quote(textsOf(prompt).map(redactor.text));
}

function quote(texts: readonly string[]): string {
  const text = texts.join(" ");
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
