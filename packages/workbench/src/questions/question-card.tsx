import { showHiddenInDocument } from "@bridle/protocol/text";
import { memo, type RefObject, useEffect, useId, useRef, useState } from "react";
import { useCommands } from "../keys/keyboard.tsx";
import { DiffLines } from "../parts/diff-lines.tsx";
import { ScrollingText } from "../parts/scrolling-text.tsx";
import { WrappingName } from "../parts/wrapping-name.tsx";
import { AnswerButtons } from "./answer-buttons.tsx";
import { describePromises } from "./describe-promises.ts";
import { InputEditor } from "./input-editor.tsx";
import { QuestionFacts } from "./question-facts.tsx";
import { guardMs, type Question, questionKeys } from "./question-keys.ts";
import { findRefusedEdit } from "./refused-edits.ts";
import { useAnswer } from "./use-answer.ts";
import "./questions.css";

interface QuestionCardProps {
  readonly question: Question;
  /** Whether the answer keys apply to this question. */
  readonly hasKeys: boolean;
  /** Whether the card names the question's session. Needed if the card's location does not show the session. */
  readonly namesSession?: boolean;
  /** Whether a new question gets the focus if the user is not writing. */
  readonly takesFocus?: boolean;
}

/**
 * A call that waits for the user: the tool, its target, the effect, the reason of the question, and how long the answer is valid.
 */
export const QuestionCard = memo(function QuestionCard(props: QuestionCardProps) {
  const { question, hasKeys, namesSession = false, takesFocus = false } = props;
  const titleId = useId();
  const refused = findRefusedEdit(question);
  const [mode, setMode] = useState<"ask" | "edit" | "message">(refused === undefined ? "ask" : "edit");
  const isArmed = useGuard(`${question.id} ${question.inputHash} ${hasKeys} ${mode}`);
  const element = useFocusIfFree(takesFocus);
  const { answer, isSending, problem } = useAnswer(question);
  const canAnswer = isArmed && !isSending;
  const start = (next: "edit" | "message") => canAnswer && setMode(next);
  useCommands(
    hasKeys && mode === "ask" // a user who is editing would allow the original input, which is not visible
      ? [
          ...questionKeys(question).map(({ key, label, answer: given }) => ({
            id: `answer-${key}`,
            title: `Answer: ${label}`,
            keys: key,
            run: () => canAnswer && answer(given),
          })),
          { id: "answer-e", title: "Edit the input of the call", keys: "e", run: () => start("edit") },
          { id: "answer-w", title: "Say no, with words for the model", keys: "w", run: () => start("message") },
        ]
      : [],
  );
  return (
    <section className="question" aria-labelledby={titleId} tabIndex={-1} ref={element}>
      <h3 id={titleId}>
        May{" "}
        <span className="id">
          <WrappingName text={showHiddenInDocument(question.tool)} />
        </span>{" "}
        run?
        <span className="muted"> {describePromises(question.annotations)}</span>
      </h3>
      <QuestionFacts question={question} namesSession={namesSession} />
      {question.problem !== null && mode !== "edit" && (
        <p className="line-problem">{showHiddenInDocument(question.problem)}</p>
      )}
      {question.preview !== null ? (
        <>
          {mode === "edit" && <p className="muted">Without your edit, this would change:</p>}
          <DiffLines text={question.preview} />
        </>
      ) : (
        mode !== "edit" && ( // the field contains the same text
          <ScrollingText className="question-input" label="Input of the call">
            {showHiddenInDocument(JSON.stringify(question.input, null, 2) ?? "")}
          </ScrollingText>
        )
      )}
      <p role="status" className="line-problem">
        {problem}
      </p>
      {mode === "edit" && (
        <InputEditor question={question} isDisabled={!canAnswer} onCancel={() => setMode("ask")} onAnswer={answer} />
      )}
      {mode === "message" && (
        <MessageForm
          onCancel={() => setMode("ask")}
          onSend={(message) => !isSending && answer({ decision: "deny", message })}
        />
      )}
      {mode === "ask" && (
        <AnswerButtons
          question={question}
          isDisabled={!canAnswer}
          onAnswer={answer}
          onEdit={() => start("edit")}
          onMessage={() => start("message")}
        />
      )}
    </section>
  );
});

/**
 * Focuses an element when it appears, unless the user has written something or a control has the focus. When the element disappears, the
 * focus returns to the empty composer if it came from there.
 */
function useFocusIfFree(isWanted: boolean): RefObject<HTMLElement | null> {
  const element = useRef<HTMLElement>(null);
  useEffect(() => {
    const { activeElement } = document;
    const composer = document.querySelector<HTMLTextAreaElement>(".composer textarea");
    const isFree = activeElement === document.body || activeElement === composer;
    if (!isWanted || !isFree || (composer !== null && composer.value !== "")) return;
    element.current?.focus();
    if (activeElement !== composer) return;
    return () => {
      if (document.activeElement === document.body) composer?.focus();
    };
  }, [isWanted]);
  return element;
}

/** Whether the question accepts answers. False for a moment after the question appeared or became the target of the answer keys. */
function useGuard(id: string): boolean {
  const [armed, setArmed] = useState<string>();
  useEffect(() => {
    const timer = setTimeout(() => setArmed(id), guardMs);
    return () => clearTimeout(timer);
  }, [id]);
  return armed === id;
}

function MessageForm({ onCancel, onSend }: { onCancel(): void; onSend(message: string): void }) {
  const id = useId();
  const [message, setMessage] = useState("");
  return (
    <form
      className="question-form"
      onSubmit={(event) => {
        event.preventDefault();
        onSend(message);
      }}
    >
      <label htmlFor={id}>What the model is told</label>
      {/* biome-ignore lint/a11y/noAutofocus: the user has just opened this field */}
      <textarea id={id} autoFocus rows={2} value={message} onChange={(event) => setMessage(event.target.value)} />
      <div className="actions">
        <button type="submit" className="danger">
          No
        </button>
        <button type="button" className="quiet" onClick={onCancel}>
          Back
        </button>
      </div>
    </form>
  );
}
