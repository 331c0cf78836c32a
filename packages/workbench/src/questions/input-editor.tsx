import { useId, useState } from "react";
import { type GivenAnswer, parseInput, type Question } from "./question-keys.ts";

interface InputEditorProps {
  readonly question: Question;
  onCancel(): void;
  onAnswer(answer: GivenAnswer): void;
}

/** Characters of a row, about. */
const rowLength = 64;

function countRows(text: string): number {
  return text.split("\n").reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / rowLength)), 0);
}

/** Runs the call with another input. */
export function InputEditor({ question, onCancel, onAnswer }: InputEditorProps) {
  const id = useId();
  const [text, setText] = useState(() => JSON.stringify(question.input, null, 2) ?? "");
  const parsed = parseInput(text);
  const problem = "problem" in parsed ? parsed.problem : undefined;
  return (
    <form
      className="question-form"
      onSubmit={(event) => {
        event.preventDefault();
        if ("input" in parsed) onAnswer({ decision: "allow", input: parsed.input });
      }}
    >
      <label htmlFor={id}>Input of the call, as JSON</label>
      <textarea
        id={id}
        // biome-ignore lint/a11y/noAutofocus: the person has just asked for this field
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
        {problem}
      </p>
      <div className="actions">
        <button type="submit" className="primary" disabled={problem !== undefined}>
          Run with this input, once
        </button>
        <button type="button" className="quiet" onClick={onCancel}>
          Back
        </button>
      </div>
    </form>
  );
}
