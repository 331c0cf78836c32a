/** Ids of calls: hosts tell a call's result by its id, and some servers give none, or one twice. */
import type { StepResponse } from "../response/step-reader.ts";

type NameCall = (id: string) => string;

/**
 * Gives each id of a conversation once, and none of those before; a further call with the same gets one of its own, in
 * letters that hosts take.
 */
export function createCallNames(before: readonly string[] = []): NameCall {
  const taken = new Set(before);
  return (id) => {
    let name = id || "call_1";
    for (let count = 2; taken.has(name); count++) name = `${id || "call"}_${count}`;
    taken.add(name);
    return name;
  };
}

export function withNames(response: StepResponse, nameCall: NameCall): StepResponse {
  return { ...response, calls: response.calls.map((call) => ({ ...call, callId: nameCall(call.callId) })) };
}
