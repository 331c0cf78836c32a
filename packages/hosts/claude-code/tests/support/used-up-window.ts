import type { Script } from "@bridle/rehearsal";

type Turn = Script["turns"][number];

/**
 * Makes each turn that begins with a used-up window refuse every request until the window opens, and then answer. A script counts refusals
 * per conversation, and a restarted process has a new conversation.
 */
export function withWindows(script: Script): Script {
  return { ...script, turns: script.turns.flatMap(withWindow) };
}

function withWindow(turn: Turn): Turn[] {
  const [first, ...rest] = turn.steps;
  if (first?.limit?.status !== "rejected" || rest.length === 0) return [turn];
  const seconds = first.limit.resetsInSeconds;
  let opensAt: number | undefined;
  const limit = {
    ...first.limit,
    get resetsInSeconds() {
      opensAt ??= Math.ceil(Date.now() / 1000 + seconds) * 1000; // in responses, the time is in whole seconds
      return (opensAt - Date.now()) / 1000;
    },
  };
  const isOpen = () => opensAt !== undefined && opensAt <= Date.now();
  const { user = () => true } = turn.when;
  const refusal = { ...first, limit, times: Number.POSITIVE_INFINITY };
  return [
    { ...turn, when: { ...turn.when, user: (text) => !isOpen() && user(text) }, steps: [refusal] },
    { ...turn, steps: rest },
  ];
}
