import { type ClipboardEvent, useEffect, useState } from "react";
import { type Attached, named, readAttachment, textAttachment } from "./attachments.ts";
import { readDraft, writeDraft } from "./drafts.ts";
import { keepAttachments, readAttachments } from "./kept-attachments.ts";
import type { QueuedPrompt } from "./queue-storage.ts";

export type WrittenPrompt = Omit<QueuedPrompt, "id">;

export interface Written {
  readonly text: string;
  readonly attachments: readonly Attached[];
  /** Why a file was not attached. */
  readonly problem: string | undefined;
  readonly canSend: boolean;
  setText(text: string): void;
  attach(files: Iterable<File>): Promise<void>;
  detach(index: number): void;
  /** Attaches pasted files and long texts. Other content is pasted normally. */
  onPaste(event: ClipboardEvent): void;
  send(): void;
}

interface ComposerUse {
  readonly session: string;
  readonly takenBack: QueuedPrompt | undefined;
  onSend(prompt: WrittenPrompt): void;
}

/** Pasted text with more characters than this becomes an attachment. */
const longPaste = 4000;

/** Manages the unsent message of a session. */
export function useComposer({ session, takenBack, onSend }: ComposerUse): Written {
  const [text, setText] = useState(() => readDraft(session));
  const [kept] = useState(() => readAttachments(session));
  const [attachments, setAttachments] = useState<readonly Attached[]>(kept.attachments);
  const [problem, setProblem] = useState(() => describeLost(kept.lost));
  useEffect(() => writeDraft(session, text), [session, text]);
  useEffect(() => keepAttachments(session, attachments), [session, attachments]);
  useEffect(() => {
    if (takenBack === undefined) return;
    setText((before) => (before === "" ? takenBack.prompt : `${takenBack.prompt}\n${before}`));
    setAttachments((before) => [...(takenBack.attachments ?? []).map(named), ...before]);
  }, [takenBack]);
  const canSend = text.trim() !== "" || attachments.length > 0;
  const attach = async (files: Iterable<File>) => {
    try {
      const read = await Promise.all([...files].map(readAttachment));
      setAttachments((before) => [...before, ...read]);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : "The file cannot be read.");
    }
  };
  return {
    text,
    attachments,
    problem,
    canSend,
    setText,
    attach,
    detach: (index) => setAttachments(attachments.toSpliced(index, 1)),
    onPaste(event) {
      const pasted = event.clipboardData.getData("text/plain");
      const { files } = event.clipboardData;
      if (files.length > 0) void attach(files);
      else if (pasted.length > longPaste)
        setAttachments((before) => [...before, textAttachment(pasted, before.length)]);
      else return;
      event.preventDefault();
    },
    send() {
      if (!canSend) return;
      onSend({ prompt: text, ...(attachments.length > 0 && { attachments }) });
      setText("");
      setAttachments([]);
      setProblem(undefined);
    },
  };
}

function describeLost(names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  return `There was no room to keep the attachments. Attach them again: ${names.join(", ")}.`;
}
