import { BridleRequestError } from "@bridle/client";
import { useCallback, useEffect, useRef, useState } from "react";
import { useServer } from "../../connection/server.tsx";
import type { ShownTranscript } from "../../connection/session-entries.ts";
import { useSignal } from "../../connection/signal.ts";
import { promptOf } from "../prompt-of.ts";
import { type QueuedPrompt, readQueue, writeQueue } from "./queue-storage.ts";

export interface PromptQueue {
  readonly prompts: readonly QueuedPrompt[];
  /** The id of the first prompt, if it was sent and its run is about to start. */
  readonly sentId: string | undefined;
  /** Why the first prompt was not sent. All prompts then wait until the user sends the first one again or removes it. */
  readonly problem: QueueProblem | undefined;
  /** Tries to send the first prompt again. */
  sendAgain(): void;
  remove(id: string): void;
  send(prompt: Omit<QueuedPrompt, "id">): void;
  /** Removes a prompt from the queue, so that the user can edit the prompt again. */
  withdraw(id: string): QueuedPrompt | undefined;
  lastPrompt(transcript: ShownTranscript | undefined): string;
}

interface QueueProblem {
  /** The prompt that was not sent. */
  readonly id: string;
  readonly words: string;
  /** Whether the server is unreachable. The prompt is sent when the server is back. */
  readonly isUnreachable: boolean;
  /** Whether the prompt can be sent again unchanged. */
  readonly canRepeat: boolean;
}

interface SentPrompt extends QueuedPrompt {
  /** The number of the first event of its run. */
  readonly firstSeq: number;
}

interface SessionNow {
  readonly isBusy: boolean;
  /** The number of the newest event on the page. Undefined until the session is loaded. */
  readonly seq: number | undefined;
}

/** Manages prompts that the user sends during a run. The next one is sent when the run has ended. */
export function useQueuedPrompts(session: string, { isBusy, seq }: SessionNow): PromptQueue {
  const { client, live } = useServer();
  const isOpen = useSignal(live.state).kind === "open";
  const [prompts, setPrompts] = useState(() => readQueue(session));
  const [refusal, setProblem] = useState<QueueProblem>();
  const problem = refusal ?? describeLost(prompts[0]);
  /** A sent prompt, until its run appears. */
  const [sent, setSent] = useState<SentPrompt>();
  const isSending = useRef(false);
  const isKnown = seq !== undefined;
  useEffect(() => writeQueue(session, prompts), [session, prompts]);
  useEffect(() => {
    if (sent !== undefined && seq !== undefined && seq >= sent.firstSeq) setSent(undefined);
  }, [sent, seq]);
  useEffect(() => {
    const [next] = prompts;
    if (next === undefined || isBusy || !isKnown || sent !== undefined || isSending.current || problem !== undefined)
      return;
    isSending.current = true;
    const { id, lost: _none, ...prompt } = next;
    client
      .start(session, prompt, { key: id })
      .then(({ firstSeq }) => {
        setSent({ ...next, firstSeq });
        setPrompts((queued) => queued.filter((each) => each.id !== id));
      })
      .catch((error: unknown) => setProblem(describe(id, error)))
      .finally(() => {
        isSending.current = false;
      });
  }, [client, session, prompts, isBusy, isKnown, sent, problem]);
  useEffect(() => {
    if (isOpen) setProblem((before) => (before?.isUnreachable === true ? undefined : before));
  }, [isOpen]);
  const remove = (id: string) => {
    if (prompts[0]?.id === id) setProblem(undefined);
    setPrompts((queued) => queued.filter((each) => each.id !== id));
  };
  const send = useCallback((prompt: Omit<QueuedPrompt, "id">) => {
    setPrompts((queued) => [...queued, { ...prompt, id: crypto.randomUUID() }]);
  }, []);
  return {
    prompts: sent === undefined ? prompts : [sent, ...prompts],
    sentId: sent?.id,
    problem,
    send,
    sendAgain: () => setProblem(undefined),
    remove,
    withdraw(id) {
      remove(id);
      return prompts.find((each) => each.id === id);
    },
    lastPrompt: (transcript) => prompts.at(-1)?.prompt ?? newestPrompt(transcript),
  };
}

function newestPrompt(transcript: ShownTranscript | undefined): string {
  const entry = transcript?.entries.findLast(({ kind }) => kind === "user");
  return entry?.kind === "user" ? promptOf(entry.message) : "";
}

function describeLost(first: QueuedPrompt | undefined): QueueProblem | undefined {
  if (first?.lost === undefined) return undefined;
  const words = `There was no room to keep the attachments (${first.lost.join(", ")}). Take the message back and attach them again.`;
  return { id: first.id, words, isUnreachable: false, canRepeat: false };
}

function describe(id: string, error: unknown): QueueProblem {
  if (error instanceof BridleRequestError) return { id, words: error.message, isUnreachable: false, canRepeat: true };
  const words = "The server does not answer. The message is kept, and is sent when the server is back.";
  return { id, words, isUnreachable: true, canRepeat: true };
}
