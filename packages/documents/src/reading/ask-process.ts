import type { ChildProcess } from "node:child_process";
import type { ReaderRequest } from "./reader-messages.ts";

/** The outcome of a request: a reply, or the reason why there is none. */
export type Outcome =
  | { readonly end: "reply"; readonly reply: unknown }
  | { readonly end: "time" | "aborted" }
  | { readonly end: "exit"; readonly code: number | null; readonly signal: string | null };

/** Sends a request and waits for a reply, the end of the process, the time limit or an abort, whichever comes first. */
export async function askProcess(
  child: ChildProcess,
  request: ReaderRequest,
  { seconds, signal }: { readonly seconds: number; readonly signal?: AbortSignal | undefined },
): Promise<Outcome> {
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  const onReply = (reply: unknown) => resolve({ end: "reply", reply });
  const onExit = (code: number | null, ended: string | null) => resolve({ end: "exit", code, signal: ended });
  const onError = () => onExit(child.exitCode, child.signalCode);
  const onAbort = () => resolve({ end: "aborted" });
  child.once("message", onReply).once("exit", onExit).once("error", onError);
  signal?.addEventListener("abort", onAbort, { once: true });
  const timer = setTimeout(() => resolve({ end: "time" }), seconds * 1000);
  try {
    if (hasEnded(child)) onError();
    else child.send(request, () => {}); // if sending fails, the end of the process follows
    return await promise;
  } finally {
    clearTimeout(timer);
    child.off("message", onReply).off("exit", onExit).off("error", onError);
    signal?.removeEventListener("abort", onAbort);
  }
}

export function hasEnded({ pid, exitCode, signalCode }: ChildProcess): boolean {
  return pid === undefined || exitCode !== null || signalCode !== null;
}
