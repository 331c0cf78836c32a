import type { Script } from "@bridle/rehearsal";

type Step = Script["turns"][number]["steps"][number];

/**
 * Makes each prompt that is too long be so once, whoever asks. A script itself counts refusals by conversation, and a
 * process that is handed a shorter history has another one.
 */
export function withOverflows(script: Script): Script {
  return { ...script, turns: script.turns.map((turn) => ({ ...turn, steps: turn.steps.map(onceForAll) })) };
}

function onceForAll(step: Step): Step {
  const { act, times } = step;
  if (times !== 1 || act.kind !== "refuse" || !act.message?.startsWith("prompt is too long")) return step;
  let asked = 0;
  return {
    ...step,
    /** Read when the script stands at this step, and once where that is what refuses. */
    get times() {
      asked += 1;
      return asked === 1 ? Number.POSITIVE_INFINITY : 0;
    },
  };
}
