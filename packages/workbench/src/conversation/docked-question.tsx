import { createContext, useContext } from "react";
import type { Question } from "../questions/question-keys.ts";

export interface Questions {
  readonly open: readonly Question[];
  /** Shows a question above the composer, and moves the focus to it. */
  dock(id: string): void;
}

/** The open questions of the session, by the calls that they are about. */
export const QuestionsContext = createContext<Questions>({ open: [], dock: () => {} });

/** A note at the call that a question is about. The question itself is shown above the composer, where it stays visible. */
export function AskedHere({ approvalId }: { approvalId: string | undefined }) {
  const { open, dock } = useContext(QuestionsContext);
  const question = open.find(({ id }) => id === approvalId);
  if (question === undefined) return null;
  return (
    <p className="asked-here">
      This call waits for your answer.
      <button type="button" onClick={() => dock(question.id)}>
        Answer
      </button>
    </p>
  );
}
