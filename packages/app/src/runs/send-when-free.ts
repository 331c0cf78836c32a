import { type AgentRun, type AgentSession, type Prompt, type SendOptions, StoreBusyError } from "@bridle/protocol";

/** Called with a description of the session's user, such as `the process 4711`. The returned function is called when the waiting ends. */
export type OnBusy = (holder: string) => (() => void) | undefined;

/** Sends a prompt to a session. If another process has a run in the session, calls `onBusy` and waits until that run ends. */
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
