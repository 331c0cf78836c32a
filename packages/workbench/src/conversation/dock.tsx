import { type ReactNode, useEffect, useRef } from "react";
import { QuestionCard } from "../questions/question-card.tsx";
import type { Question } from "../questions/question-keys.ts";

interface DockProps {
  readonly questions: readonly Question[];
  /** The question that the user chose. Default: the oldest. */
  readonly chosen: string | undefined;
  readonly children: ReactNode;
}

/** The part that stays visible below the conversation: the next question to answer, and the composer. */
export function Dock({ questions, chosen, children }: DockProps) {
  const element = useRef<HTMLDivElement>(null);
  const asked = questions.find(({ id }) => id === chosen) ?? questions[0];
  useEffect(() => {
    if (chosen !== undefined) element.current?.querySelector<HTMLElement>(".question")?.focus();
  }, [chosen]);
  return (
    <div className="dock" ref={element}>
      {asked && (
        <>
          {questions.length > 1 && (
            <p className="muted">
              {questions.length} questions are open. {asked === questions[0] && "This is the oldest."}
            </p>
          )}
          <QuestionCard key={asked.id} question={asked} hasKeys={true} takesFocus={true} />
        </>
      )}
      {children}
    </div>
  );
}
