import { BridleRequestError, type SessionTranscript } from "@bridle/client";
import { useCallback, useEffect, useRef, useState } from "react";
import { useServer } from "../../connection/server.tsx";
import { promptOf } from "../prompt-of.ts";
import { type QueuedPrompt, readQueue, writeQueue } from "./queue-storage.ts";

export interface PromptQueue {
  readonly prompts: readonly QueuedPrompt[];
  /** The first of the prompts, if it was sent and its run is about to begin. */
  readonly sentId: string | undefined;
  /** Why the last prompt was not sent. It is in the queue still. */
  readonly problem: string | undefined;
  send(prompt: Omit<QueuedPrompt, "id">): void;
  /** Takes a prompt out of the queue, to be written again. */
  withdraw(id: string): QueuedPrompt | undefined;
  lastPrompt(transcript: SessionTranscript | undefined): string;
}

interface SentPrompt extends QueuedPrompt {
  /** The first event of its run. */
  readonly firstSeq: number;
}

interface SessionNow {
  readonly isBusy: boolean;
  /** The newest event that the page has. Nothing while the session is not read. */
  readonly seq: number | undefined;
}

/** Prompts that a person has sent while a run is in progress. The next one is sent when the run has ended. */
export function useQueuedPrompts(session: string, { isBusy, seq }: SessionNow): PromptQueue {
  const { client } = useServer();
  const [prompts, setPrompts] = useState(() => readQueue(session));
  const [problem, setProblem] = useState<string>();
  /** A prompt that was sent, until the run that it begins is seen. */
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
    const { id, ...prompt } = next;
    client
      .start(session, prompt, { key: id })
      .then(({ firstSeq }) => {
        setSent({ ...next, firstSeq });
        setPrompts((queued) => queued.filter((each) => each.id !== id));
      })
      .catch((error: unknown) => setProblem(describe(error)))
      .finally(() => {
        isSending.current = false;
      });
  }, [client, session, prompts, isBusy, isKnown, sent, problem]);
  const send = useCallback((prompt: Omit<QueuedPrompt, "id">) => {
    setProblem(undefined);
    setPrompts((queued) => [...queued, { ...prompt, id: crypto.randomUUID() }]);
  }, []);
  return {
    prompts: sent === undefined ? prompts : [sent, ...prompts],
    sentId: sent?.id,
    problem,
    send,
    withdraw(id) {
      setProblem(undefined);
      setPrompts((queued) => queued.filter((each) => each.id !== id));
      return prompts.find((each) => each.id === id);
    },
    lastPrompt: (transcript) => prompts.at(-1)?.prompt ?? newestPrompt(transcript),
  };
}

function newestPrompt(transcript: SessionTranscript | undefined): string {
  const entry = transcript?.entries.findLast(({ kind }) => kind === "user");
  return entry?.kind === "user" ? promptOf(entry.message) : "";
}

function describe(error: unknown): string {
  if (error instanceof BridleRequestError) return error.message;
  return "The server does not answer, so the message was not sent. It is kept below: send it again when the server is back.";
}
