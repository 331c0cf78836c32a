import type { Script } from "@bridle/rehearsal";

type Step = Script["turns"][number]["steps"][number];

/**
 * Refuses each prompt that is too long only once in all conversations together. A script counts refusals per conversation, and a process
 * with a shorter history has a new conversation.
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
    /** How often the step refuses. The engine reads this when the script reaches the step, and again if the step refuses. */
    get times() {
      asked += 1;
      return asked === 1 ? Number.POSITIVE_INFINITY : 0;
    },
  };
}
