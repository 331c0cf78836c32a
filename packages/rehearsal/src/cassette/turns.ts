import { canonicalJson, type RunEvent } from "@bridle/protocol";
import type { ScriptInput } from "../script/schema.ts";
import { toPattern, userCondition } from "./conditions.ts";
import type { SystemText } from "./exchanges.ts";
import type { StepInput } from "./steps.ts";

/** What a turn is made from, without credentials. */
export interface Scene {
  readonly texts: readonly string[];
  readonly system: SystemText;
  readonly message: number;
  readonly steps: readonly StepInput[];
}

/**
 * Model APIs of Bridle ask once more for a call that does not fit its tool, with a message that begins like this. One
 * that was refused in the end stays as it was.
 */
export function mendingTurns(runs: readonly (readonly RunEvent[])[]): ScriptInput["turns"] {
  const isRefused = (event: RunEvent) => event.type === "tool.evaluated" && event.rule === "input-schema";
  if (!runs.some((events) => events.some(isRefused))) return [];
  return [
    {
      when: { user: "/^This call to the tool/" },
      steps: [{ say: "It stays as it is.", usage: { input: 0, output: 0 }, forever: true }],
    },
  ];
}

/** Scenes that a request can be told by, and those that come too late: the same was asked, and answered otherwise. */
export function withoutRepeats(scenes: readonly Scene[]): { distinct: Scene[]; lost: Scene[] } {
  const distinct: Scene[] = [];
  const lost: Scene[] = [];
  for (const scene of scenes) {
    const same = distinct.find((other) => questionOf(other) === questionOf(scene));
    if (same === undefined) distinct.push(scene);
    else if (canonicalJson(same.steps) !== canonicalJson(scene.steps)) lost.push(scene);
  }
  return { distinct, lost };
}

function questionOf({ texts, system, message }: Scene): string {
  return canonicalJson([texts, system, message]);
}

/** More special conditions stand before those that hold for more; without any, a turn stands last. */
export function toTurns(scenes: readonly Scene[]): ScriptInput["turns"] {
  const turns = scenes.map((scene) => ({ when: conditionsOf(scene, scenes), steps: [...scene.steps] }));
  return turns
    .toSorted((a, b) => weightOf(b.when) - weightOf(a.when))
    .map(({ when, steps }) => (Object.keys(when).length === 0 ? { steps } : { when, steps }));
}

type When = NonNullable<ScriptInput["turns"][number]["when"]>;

function weightOf({ user, system = "" }: When): number {
  return user === undefined ? -1 : system.length;
}

function conditionsOf(scene: Scene, scenes: readonly Scene[]): When {
  const text = canonicalJson(scene.texts);
  const twins = scenes.filter((other) => other !== scene && canonicalJson(other.texts) === text);
  const others = scenes.filter((other) => canonicalJson(other.texts) !== text);
  const user = userCondition(
    scene.texts,
    others.map(({ texts }) => texts),
  );
  const system = systemCondition(scene, twins);
  return {
    ...(user !== undefined && { user }),
    ...(system !== undefined && { system }),
    ...(twins.some(({ message }) => message !== scene.message) && { message: scene.message }),
  };
}

/** Only where the same was asked under another system prompt. */
function systemCondition({ system, message }: Scene, twins: readonly Scene[]): string | undefined {
  const rivals = twins.filter((twin) => twin.message === message).map((twin) => twin.system);
  if (rivals.length === 0) return undefined;
  const part = rivals.some((rival) => rival.static !== system.static) ? "static" : "dynamic";
  return system[part] === "" ? undefined : toPattern(system[part]);
}
