import type { PriceTable } from "@bridle/host-shared";
import type { ConversationSpec, HistoryMessage, PromptContext } from "@bridle/protocol";
import type { CodexFailureFacts } from "../errors/classify-turn.ts";
import type { AcquiredServer } from "../process/servers.ts";
import type { HostThread } from "./thread.ts";

export interface CodexConversationOptions {
  spec: ConversationSpec;
  promptContext: PromptContext;
  prices: PriceTable;
  idleTimeoutMs: number;
  maxRetries: number;
  provider: string;
  /** The folder that patches change; missing if patches are not open. */
  patchFolder: string | undefined;
  /** Returns the current process; if it has ended, starts another one. */
  acquire(): Promise<AcquiredServer>;
  facts(acquired: AcquiredServer | undefined): CodexFailureFacts;
  /** Takes over the thread of a conversation that has ended normally, with the messages that the thread contains. */
  leave(thread: HostThread, held: readonly HistoryMessage[]): void;
}
