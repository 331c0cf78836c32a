import { KeyNames } from "../keys/key-names.tsx";
import { type GivenAnswer, type Question, questionKeys } from "./question-keys.ts";

interface AnswerButtonsProps {
  readonly question: Question;
  readonly isDisabled: boolean;
  onAnswer(answer: GivenAnswer): void;
  onEdit(): void;
  onMessage(): void;
}

export function AnswerButtons({ question, isDisabled, onAnswer, onEdit, onMessage }: AnswerButtonsProps) {
  const keys = questionKeys(question);
  const buttons = (allows: boolean) =>
    keys
      .filter(({ answer }) => (answer.decision === "allow") === allows)
      .map(({ key, label, answer }) => (
        <button
          key={key}
          type="button"
          className={key === "y" ? "primary" : allows ? "" : "danger"}
          aria-disabled={isDisabled}
          onClick={() => !isDisabled && onAnswer(answer)}
        >
          {label} <KeyNames keys={key} />
        </button>
      ));
  return (
    // biome-ignore lint/a11y/useSemanticElements: the card is the group of the form
    <div className="actions" role="group" aria-label="Answers">
      {buttons(true)}
      <button type="button" aria-disabled={isDisabled} onClick={onEdit}>
        Edit <KeyNames keys="e" />
      </button>
      {buttons(false)}
      <button type="button" aria-disabled={isDisabled} onClick={onMessage}>
        No, because … <KeyNames keys="w" />
      </button>
    </div>
  );
}
