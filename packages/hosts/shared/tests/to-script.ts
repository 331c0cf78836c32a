import type { ScriptedFailure, ScriptedModel, ScriptedStep } from "@bridle/conformance";
import { omitUndefined } from "@bridle/protocol";
import type { ScriptInput } from "@bridle/rehearsal";

/** How a service refuses a request, in the form of a rehearsal step. */
export type Refusals = Readonly<Record<ScriptedFailure, object>>;

/** Converts the suite's neutral script to a rehearsal script. */
export function toScript(model: ScriptedModel, refusals: Refusals): ScriptInput {
  const named = model.filter(({ prompt }) => prompt !== undefined);
  const others = model.filter(({ prompt }) => prompt === undefined);
  return {
    rehearsal: 1,
    turns: [...named, ...others].map(({ prompt, steps }) => ({
      ...omitUndefined({ when: prompt === undefined ? undefined : { user: prompt } }),
      steps: steps.map((step) => toStep(step, refusals)),
    })),
  } as ScriptInput;
}

function toStep(
  { promptTokens, think, say, calls, object, fail, resetsInSeconds, cut, stall, forever }: ScriptedStep,
  refusals: Refusals,
) {
  return {
    ...(fail && refusals[fail]),
    ...omitUndefined({
      limit: resetsInSeconds === undefined ? undefined : { resets_in_seconds: resetsInSeconds },
      think,
      say,
      split_utf8: say === undefined ? undefined : true,
      calls: calls?.map(({ tool, input }) =>
        typeof input === "string" ? { call: tool, with_text: input } : { call: tool, with: input },
      ),
      object,
      usage: promptTokens === undefined ? undefined : { input: promptTokens },
      cut: cut || undefined,
      chunk_ms: cut ? 40 : undefined,
      stall: stall || undefined,
      forever: forever || undefined,
    }),
  };
}
