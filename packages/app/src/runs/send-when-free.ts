import { type AgentRun, type AgentSession, type Prompt, type SendOptions, StoreBusyError } from "@bridle/protocol";

/** Called with a description of who has the session, such as `the process 4711`. The returned function is called when the waiting ends. */
export type OnBusy = (holder: string) => (() => void) | undefined;

/** Sends a prompt to a session. If the session has a run in another process, calls `onBusy` and waits for its end. */
export async function sendWhenFree(
  session: AgentSession,
  prompt: Prompt,
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
