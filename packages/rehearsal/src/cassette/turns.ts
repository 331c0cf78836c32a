import { canonicalJson, correctionStart, omitUndefined, type RunEvent } from "@bridle/protocol";
import type { ScriptInput, StepInput } from "../script/schema.ts";
import { toPattern, userCondition } from "./conditions.ts";
import type { SystemText } from "./exchanges.ts";

/** What a turn is created from, without credentials. */
export interface CassetteScene {
  readonly texts: readonly string[];
  readonly system: SystemText;
  readonly message: number;
  readonly steps: readonly StepInput[];
}

/**
 * Returns turns that answer requests to correct a call. Bridle's model APIs send such a request if a call does not match its schema. A call
 * that was refused in the run stays unchanged.
 */
export function repairTurns(runs: readonly (readonly RunEvent[])[]): ScriptInput["turns"] {
  const isRefused = (event: RunEvent) => event.type === "tool.evaluated" && event.rule === "input-schema";
  if (!runs.some((events) => events.some(isRefused))) return [];
  return [
    {
      when: { user: `/^${correctionStart}/` },
      steps: [{ say: "I cannot correct it.", usage: { input: 0, output: 0 }, forever: true }],
    },
  ];
}

/** Separates scenes with different questions from scenes that repeat a question but got a different answer. */
export function withoutRepeats(scenes: readonly CassetteScene[]): { distinct: CassetteScene[]; lost: CassetteScene[] } {
  const distinct: CassetteScene[] = [];
  const lost: CassetteScene[] = [];
  for (const scene of scenes) {
    const same = distinct.find((other) => toQuestionKey(other) === toQuestionKey(scene));
    if (same === undefined) distinct.push(scene);
    else if (canonicalJson(same.steps) !== canonicalJson(scene.steps)) lost.push(scene);
  }
  return { distinct, lost };
}

function toQuestionKey({ texts, system, message }: CassetteScene): string {
  return canonicalJson([texts, system, message]);
}

/** Creates the turns. Those with more specific conditions come first, and one without conditions comes last. */
export function toTurns(scenes: readonly CassetteScene[]): ScriptInput["turns"] {
  const turns = scenes.map((scene) => ({ when: toConditions(scene, scenes), steps: [...scene.steps] }));
  return turns
    .toSorted((a, b) => specificity(b.when) - specificity(a.when))
    .map(({ when, steps }) => (Object.keys(when).length === 0 ? { steps } : { when, steps }));
}

type When = NonNullable<ScriptInput["turns"][number]["when"]>;

function specificity({ user, system = "" }: When): number {
  return user === undefined ? -1 : system.length;
}

function toConditions(scene: CassetteScene, scenes: readonly CassetteScene[]): When {
  const text = canonicalJson(scene.texts);
  const twins = scenes.filter((other) => other !== scene && canonicalJson(other.texts) === text);
  const others = scenes.filter((other) => canonicalJson(other.texts) !== text);
  const user = userCondition(
    scene.texts,
    others.map(({ texts }) => texts),
  );
  const system = systemCondition(scene, twins);
  const isNumbered = twins.some(({ message }) => message !== scene.message);
  return omitUndefined({ user, system, message: isNumbered ? scene.message : undefined });
}

/** Returns a condition on the system prompt, but only if the same question occurs with a different system prompt. */
function systemCondition({ system, message }: CassetteScene, twins: readonly CassetteScene[]): string | undefined {
  const rivals = twins.filter((twin) => twin.message === message).map((twin) => twin.system);
  if (rivals.length === 0) return undefined;
  const part = rivals.some((rival) => rival.static !== system.static) ? "static" : "dynamic";
  return system[part] === "" ? undefined : toPattern(system[part]);
}
