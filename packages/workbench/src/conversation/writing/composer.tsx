import { type KeyboardEvent, memo, useEffect, useId, useRef } from "react";
import { useCommands } from "../../keys/keyboard.tsx";
import { AttachmentChips } from "./attachment-chips.tsx";
import type { QueuedPrompt } from "./queue-storage.ts";
import { useComposer, type Written, type WrittenPrompt } from "./use-composer.ts";

interface ComposerProps {
  readonly session: string;
  readonly isBusy: boolean;
  readonly lastPrompt: string;
  /** Whether the session has no messages yet, so that writing is the only possible action. */
  readonly isFirst: boolean;
  /** A queued message that the user wants to edit again. */
  readonly takenBack: QueuedPrompt | undefined;
  onSend(prompt: WrittenPrompt): void;
}

/** The message field. It is never disabled: messages that are sent during a run wait until the run ends. */
export const Composer = memo(function Composer(props: ComposerProps) {
  const { session, isBusy, lastPrompt, isFirst, takenBack, onSend } = props;
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const written = useComposer({ session, takenBack, onSend });
  const { text, attachments, problem } = written;
  useEffect(() => {
    if (takenBack !== undefined) field.current?.focus();
  }, [takenBack]);
  useEffect(() => {
    if (isFirst && document.activeElement === document.body) field.current?.focus();
  }, [isFirst]);
  useCommands([{ id: "write", title: "Write a message", keys: "c", run: () => field.current?.focus() }]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter" && !event.shiftKey) written.send();
    else if (event.key === "ArrowUp" && text === "" && lastPrompt !== "") written.setText(lastPrompt);
    else return;
    event.preventDefault();
  };
  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault();
        written.send();
      }}
    >
      <AttachmentChips attachments={attachments} onRemove={written.detach} />
      <p role="status" className="line-problem">
        {problem}
      </p>
      <label htmlFor={id} className="hidden-text">
        Message
      </label>
      <textarea
        id={id}
        ref={field}
        dir="auto"
        rows={Math.min(10, Math.max(2, text.split("\n").length))}
        value={text}
        placeholder={isBusy ? "Your message is sent when the run has ended." : "Write a message. Enter sends it."}
        onChange={(event) => written.setText(event.target.value)}
        onKeyDown={onKeyDown}
        onPaste={written.onPaste}
      />
      <ComposerActions isBusy={isBusy} written={written} />
    </form>
  );
});

function ComposerActions({ isBusy, written }: { isBusy: boolean; written: Written }) {
  return (
    <div className="composer-actions">
      <label className="file-button">
        Attach
        <input
          type="file"
          multiple
          className="hidden-text"
          onChange={(event) => {
            void written.attach(event.target.files ?? []);
            event.target.value = "";
          }}
        />
      </label>
      <button type="submit" className="primary" aria-disabled={!written.canSend}>
        {isBusy ? "Queue" : "Send"}
      </button>
    </div>
  );
}
