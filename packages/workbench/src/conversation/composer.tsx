import { type ClipboardEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { useCommands } from "../keys/keyboard.tsx";
import { type Attached, named, readAttachment, textAttachment } from "./attachments.ts";
import { readDraft, writeDraft } from "./drafts.ts";
import type { QueuedPrompt } from "./queue-storage.ts";

interface ComposerProps {
  readonly session: string;
  readonly isBusy: boolean;
  readonly lastPrompt: string;
  /** A message that was queued, and that the person wants to write again. */
  readonly takenBack: QueuedPrompt | undefined;
  onSend(prompt: { readonly prompt: string; readonly attachments?: readonly Attached[] }): void;
}

/** Characters beyond which a paste becomes an attachment. */
const longPaste = 4000;

/** The place to write. It is never disabled: what is sent during a run waits for its end. */
export function Composer({ session, isBusy, lastPrompt, takenBack, onSend }: ComposerProps) {
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(() => readDraft(session));
  const [attachments, setAttachments] = useState<readonly Attached[]>([]);
  const [problem, setProblem] = useState<string>();
  useEffect(() => writeDraft(session, text), [session, text]);
  useEffect(() => {
    if (takenBack === undefined) return;
    setText((before) => (before === "" ? takenBack.prompt : `${takenBack.prompt}\n${before}`));
    setAttachments((before) => [...(takenBack.attachments ?? []).map(named), ...before]);
    field.current?.focus();
  }, [takenBack]);
  useCommands([{ id: "write", title: "Write a message", keys: "c", run: () => field.current?.focus() }]);
  const canSend = text.trim() !== "" || attachments.length > 0;
  const send = () => {
    if (!canSend) return;
    onSend({ prompt: text, ...(attachments.length > 0 && { attachments }) });
    setText("");
    setAttachments([]);
    setProblem(undefined);
  };
  const attach = async (files: Iterable<File>) => {
    try {
      const read = await Promise.all([...files].map(readAttachment));
      setAttachments((before) => [...before, ...read]);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : "The file cannot be read.");
    }
  };
  const onPaste = (event: ClipboardEvent) => {
    const pasted = event.clipboardData.getData("text/plain");
    const { files } = event.clipboardData;
    if (files.length > 0) void attach(files);
    else if (pasted.length > longPaste) setAttachments((before) => [...before, textAttachment(pasted, before.length)]);
    else return;
    event.preventDefault();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      send();
    } else if (event.key === "ArrowUp" && text === "" && lastPrompt !== "") {
      event.preventDefault();
      setText(lastPrompt);
    }
  };
  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {attachments.length > 0 && (
        <ul className="attachments">
          {attachments.map((attachment, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two attachments may be the same
            <li key={index}>
              <span className="cut">{attachment.name}</span>
              <button
                type="button"
                className="quiet"
                aria-label={`Remove ${attachment.name}`}
                onClick={() => setAttachments(attachments.toSpliced(index, 1))}
              >
                ✗
              </button>
            </li>
          ))}
        </ul>
      )}
      <p role="status" className="line-problem">
        {problem}
      </p>
      <label htmlFor={id} className="hidden-text">
        Message
      </label>
      <textarea
        id={id}
        ref={field}
        rows={Math.min(10, Math.max(2, text.split("\n").length))}
        value={text}
        placeholder={isBusy ? "Your message is sent when the run has ended." : "Write a message. Enter sends it."}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
      />
      <div className="composer-actions">
        <label className="file-button">
          Attach
          <input
            type="file"
            multiple
            className="hidden-text"
            onChange={(event) => {
              void attach(event.target.files ?? []);
              event.target.value = "";
            }}
          />
        </label>
        <button type="submit" className="primary" aria-disabled={!canSend}>
          {isBusy ? "Queue" : "Send"}
        </button>
      </div>
    </form>
  );
}
