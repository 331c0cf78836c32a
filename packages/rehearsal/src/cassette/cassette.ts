import { createRedactor, type Redactor } from "@bridle/core";
import { omitUndefined, type RunEvent } from "@bridle/protocol";
import { asLiteral } from "../engine/template.ts";
import type { ScriptInput, StepInput } from "../script/schema.ts";
import { readTexts } from "./conditions.ts";
import { type Exchange, type ReadArtifact, readExchanges } from "./exchanges.ts";
import { toSteps } from "./steps.ts";
import { type CassetteScene, repairTurns, toTurns, withoutRepeats } from "./turns.ts";

/** A rehearsal script with a model's answers from real runs. */
export interface Cassette {
  readonly script: ScriptInput;
  /** The number of runs that the cassette was created from. */
  readonly runs: number;
  readonly backends: readonly string[];
  readonly models: readonly string[];
  /** The differences between the cassette and the runs, in sentences. */
  readonly warnings: readonly string[];
}

export interface CassetteOptions {
  /** Removes credentials from everything that is written. Default: removes everything that looks like a credential. */
  readonly redactor?: Redactor | undefined;
  /** Reads stored texts of the event log. They distinguish runs that differ only in the system prompt. */
  readonly readArtifact?: ReadArtifact | undefined;
}

/**
 * Creates a cassette from the events of runs, in the order in which the runs began. If the runs called no model, the cassette has no turns.
 */
export function createCassette(runs: Iterable<readonly RunEvent[]>, options: CassetteOptions = {}): Cassette {
  const { redactor = createRedactor(), readArtifact = () => undefined } = options;
  const ordered = [...runs]
    .filter((events) => events.length > 0)
    .map(inOrder)
    .toSorted(byStart);
  const warnings: string[] = [];
  const scenes = ordered.flatMap((events) => {
    const parts = readExchanges(events, readArtifact).map((exchange) => ({ exchange, ...toSteps(exchange) }));
    warnings.push(
      ...parts.flatMap((part) => part.warnings.map((warning) => `${nameOf(part.exchange, redactor)}: ${warning}`)),
    );
    return parts.map(({ exchange }, index) => toScene(exchange, stepsFrom(parts, index), redactor));
  });
  const playable = scenes.filter(({ steps }) => steps.length > 0);
  const { distinct, lost } = withoutRepeats(playable);
  return {
    script: { rehearsal: 1, turns: [...repairTurns(ordered), ...toTurns(distinct)] },
    runs: ordered.length,
    backends: namesIn(ordered, (event) => (event.type === "run.started" ? event.backend : undefined), redactor),
    models: namesIn(ordered, (event) => (event.type === "step.started" ? event.model : undefined), redactor),
    warnings: [
      ...warnings,
      ...lost.map(
        ({ texts }) => `${quote(texts)} was sent again and got another answer: the cassette keeps the first answer`,
      ),
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
 * Returns the steps of a message. After an invalid object, some hosts ask again in the same message, and others in a new message. The first
 * message gets all answers, so that the cassette plays on both kinds of hosts.
 */
function stepsFrom(parts: readonly Part[], index: number): readonly StepInput[] {
  const [own] = parts.slice(index);
  if (own === undefined) return [];
  return own.exchange.operation === "object" ? parts.slice(index).flatMap(({ steps }) => steps) : own.steps;
}

function toScene(
  { prompt, system, message }: Exchange,
  steps: readonly StepInput[],
  redactor: Redactor,
): CassetteScene {
  return {
    texts: readTexts(prompt).map(redactor.text),
    system: { static: redactor.text(system.static.trim()), dynamic: redactor.text(system.dynamic.trim()) },
    message,
    steps: steps.map((step) => toLiteral(redactor.value(step) as StepInput)),
  };
}

/** Escapes text from the model that looks like a template. */
function toLiteral(step: StepInput): StepInput {
  const { think, say, calls } = step;
  return omitUndefined({
    ...step,
    think: think && asLiteral(think),
    say: say && asLiteral(say),
    with: literalValue(step.with),
    object: literalValue(step.object),
    calls: calls?.map((call) => ("with" in call ? { ...call, with: literalValue(call.with) } : call)),
  });
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
  return quote(readTexts(prompt).map(redactor.text));
}

function quote(texts: readonly string[]): string {
  const text = texts.join(" ");
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
