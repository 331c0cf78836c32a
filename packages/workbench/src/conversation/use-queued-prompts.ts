import { BridleRequestError, type PromptToSend, type SessionTranscript } from "@bridle/client";
import { useEffect, useRef, useState } from "react";
import { useServer } from "../connection/server.tsx";

export interface QueuedPrompt extends Pick<PromptToSend, "prompt" | "attachments"> {
  readonly id: string;
}

export interface PromptQueue {
  readonly prompts: readonly QueuedPrompt[];
  /** Why the last prompt was not sent. It is in the queue still. */
  readonly problem: string | undefined;
  send(prompt: Omit<QueuedPrompt, "id">): void;
  /** Takes a prompt out of the queue, and returns its text to be written again. */
  withdraw(id: string): string;
  lastPrompt(transcript: SessionTranscript | undefined): string;
}

interface SessionNow {
  readonly isBusy: boolean;
  readonly isKnown: boolean;
}

/** Prompts that a person has sent while a run is in progress. The next one is sent when the run has ended. */
export function useQueuedPrompts(session: string, { isBusy, isKnown }: SessionNow): PromptQueue {
  const { client } = useServer();
  const [prompts, setPrompts] = useState<readonly QueuedPrompt[]>([]);
  const [problem, setProblem] = useState<string>();
  /** A prompt that was sent, until the run that it begins is seen. */
  const [sent, setSent] = useState<QueuedPrompt>();
  const isSending = useRef(false);
  useEffect(() => {
    if (isBusy) setSent(undefined);
  }, [isBusy]);
  useEffect(() => {
    const [next] = prompts;
    if (next === undefined || isBusy || !isKnown || sent !== undefined || isSending.current || problem !== undefined)
      return;
    isSending.current = true;
    const { id, ...prompt } = next;
    client
      .start(session, prompt)
      .then(() => {
        setSent(next);
        setPrompts((queued) => queued.filter((each) => each.id !== id));
      })
      .catch((error: unknown) => setProblem(describe(error)))
      .finally(() => {
        isSending.current = false;
      });
  }, [client, session, prompts, isBusy, isKnown, sent, problem]);
  return {
    prompts: sent === undefined ? prompts : [sent, ...prompts],
    problem,
    send(prompt) {
      setProblem(undefined);
      setPrompts((queued) => [...queued, { ...prompt, id: crypto.randomUUID() }]);
    },
    withdraw(id) {
      setProblem(undefined);
      setPrompts((queued) => queued.filter((each) => each.id !== id));
      return prompts.find((each) => each.id === id)?.prompt ?? "";
    },
    lastPrompt: (transcript) => prompts.at(-1)?.prompt ?? newestPrompt(transcript),
  };
}

function newestPrompt(transcript: SessionTranscript | undefined): string {
  const entry = transcript?.entries.findLast(({ kind }) => kind === "user");
  if (entry?.kind !== "user") return "";
  const { content } = entry.message;
  if (typeof content === "string") return content;
  return content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}

function describe(error: unknown): string {
  if (error instanceof BridleRequestError) return error.message;
  return "The server does not answer, so the message was not sent. It is kept below: send it again when the server is back.";
}
