import { type AgentRun, type AgentSession, type SendOptions, StoreBusyError } from "@bridle/core";

/** Called with the id of the process that has the session. Returns a function that ends the waiting, if you need one. */
export type OnBusy = (process: number) => (() => void) | void;

/** Sends a prompt to a session. If the session has a run in another process, calls `onBusy` and waits for its end. */
export async function sendWhenFree(
  session: AgentSession,
  prompt: string,
  options: SendOptions,
  onBusy: OnBusy,
): Promise<AgentRun> {
  try {
    return await session.send(prompt, { ...options, whenBusy: "fail" });
  } catch (error) {
    if (!(error instanceof StoreBusyError) || error.holder === undefined) throw error;
    const stopWaiting = onBusy(error.holder);
    try {
      return await session.send(prompt, options);
    } finally {
      stopWaiting?.();
    }
  }
}
