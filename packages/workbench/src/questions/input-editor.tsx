import { showHiddenInDocument } from "@bridle/protocol/text";
import { useId, useState } from "react";
import { type GivenAnswer, parseInput, type Question } from "./question-keys.ts";
import { findRefusedEdit, noteEdit } from "./refused-edits.ts";

interface InputEditorProps {
  readonly question: Question;
  readonly isDisabled: boolean;
  onCancel(): void;
  onAnswer(answer: GivenAnswer): void;
}

/** The approximate number of characters in a row. */
const rowLength = 64;

function countRows(text: string): number {
  return text.split("\n").reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / rowLength)), 0);
}

/** Runs the call with another input. If the tool rejects the input, it stays in the field, with the reason, until the user changes it. */
export function InputEditor({ question, isDisabled, onCancel, onAnswer }: InputEditorProps) {
  const id = useId();
  const refused = findRefusedEdit(question);
  const [text, setText] = useState(() => refused ?? JSON.stringify(question.input, null, 2) ?? "");
  const parsed = parseInput(text);
  const problem = "problem" in parsed ? parsed.problem : text === refused ? question.problem : undefined;
  const canSend = !isDisabled && problem === undefined;
  return (
    <form
      className="question-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (!canSend || !("input" in parsed)) return;
        noteEdit(question, text);
        onAnswer({ decision: "allow", input: parsed.input });
      }}
    >
      <label htmlFor={id}>Input of the call, as JSON</label>
      <textarea
        id={id}
        // biome-ignore lint/a11y/noAutofocus: the user has just opened this field
        autoFocus
        className="code-field"
        rows={Math.min(16, countRows(text) + 1)}
        value={text}
        spellCheck={false}
        aria-invalid={problem !== undefined}
        aria-describedby={`${id}problem`}
        onChange={(event) => setText(event.target.value)}
      />
      <p id={`${id}problem`} role="status" className="line-problem">
        {typeof problem === "string" && showHiddenInDocument(problem)}
      </p>
      <div className="actions">
        <button type="submit" className="primary" aria-disabled={!canSend}>
          Run with this input, once
        </button>
        <button type="button" className="quiet" onClick={onCancel}>
          Back
        </button>
      </div>
    </form>
  );
}
