import { startBoundaryError } from "@bridle/host-shared";
import type { ConversationSpec, HistoryMessage } from "@bridle/protocol";
import { z } from "zod";
import { threadDifferences, threadOptions } from "../boundary/thread-options.ts";
import { toResponseItems } from "../history/response-items.ts";
import { threadAnswer } from "../messages/messages.ts";
import type { AppServer } from "../process/app-server.ts";
import type { AcquiredServer } from "../process/servers.ts";

/** A thread of a process. */
export interface HostThread {
  readonly acquired: AcquiredServer;
  readonly id: string;
}

/**
 * Where a conversation keeps its thread. Undefined if the thread may contain more than the conversation, such as a note that a turn was
 * aborted.
 */
export interface ThreadSlot {
  thread: HostThread | undefined;
  isClosed: boolean;
}

interface ThreadRequirements {
  readonly spec: ConversationSpec;
  readonly provider: string;
  /** The folder that patches change; missing if patches are not open. */
  readonly patchFolder?: string | undefined;
  acquire(): Promise<AcquiredServer>;
}

const anything = z.unknown();

/**
 * Starts a thread that contains the history, followed by the items of a turn that began in another thread. Throws BoundaryError if the
 * thread did not start as requested.
 */
export async function startCodexThread(
  { spec, acquire, provider, patchFolder }: ThreadRequirements,
  history: readonly HistoryMessage[],
  begun: readonly object[] = [],
): Promise<HostThread> {
  const items = [...toResponseItems(history, spec.builtins), ...begun];
  const acquired = await acquire();
  const { server } = acquired;
  try {
    const answer = await server.request(
      "thread/start",
      threadOptions(spec, server.home.workingFolder, patchFolder),
      threadAnswer,
    );
    const differences = threadDifferences(answer, spec, { provider, patchFolder });
    if (differences.length > 0) throw startBoundaryError("Codex", differences);
    const { id } = answer.thread;
    if (items.length > 0) await server.request("thread/inject_items", { threadId: id, items }, anything);
    return { acquired, id };
  } catch (error) {
    acquired.release();
    throw error;
  }
}

/** Ends a thread, so that the process forgets it. */
export function dropThread({ acquired, id }: HostThread): void {
  forgetThread(acquired.server, id);
  acquired.release();
}

/** Like `dropThread`, for a thread that no conversation uses. */
export function forgetThread(server: AppServer, id: string): void {
  server.detach(id);
  void server.request("thread/unsubscribe", { threadId: id }, anything).catch(() => {});
}
