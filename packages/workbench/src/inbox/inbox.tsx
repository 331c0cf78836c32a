import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useServer } from "../connection/server.tsx";
import { useSignal } from "../connection/signal.ts";
import { useCommands } from "../keys/keyboard.tsx";
import { Loading } from "../parts/states.tsx";
import { useInSight } from "../parts/use-in-sight.ts";
import { QuestionCard } from "../questions/question-card.tsx";
import type { Question } from "../questions/question-keys.ts";
import { LastAnswers } from "./last-answers.tsx";
import { NoQuestions } from "./no-questions.tsx";
import { NotificationChoice } from "./notification-choice.tsx";
import "./inbox.css";

/** All open questions of all sessions and processes, the oldest first. */
export function Inbox() {
  const { client, live } = useServer();
  const told = useSignal(live.approvals);
  const { data } = useQuery({
    queryKey: ["approvals", "all"],
    queryFn: () => client.approvals({ state: "all", limit: 10 }),
    staleTime: 0,
  });
  const questions = told ?? data?.approvals;
  const [chosen, setChosen] = useState<string>();
  const at = Math.max(0, questions?.findIndex(({ id }) => id === chosen) ?? 0);
  const mark = (index: number) => setChosen(questions?.at(index)?.id ?? chosen);
  useCommands([
    { id: "inbox-next", title: "Next question", keys: "j", run: () => mark(at + 1) },
    { id: "inbox-previous", title: "Previous question", keys: "k", run: () => mark(Math.max(0, at - 1)) },
  ]);
  if (questions === undefined) return <Loading what="the questions" height="16rem" />;
  return (
    <div className="page inbox">
      <h1>Inbox</h1>
      <NotificationChoice />
      {questions.length === 0 && <NoQuestions />}
      {questions.length > 1 && (
        <p className="muted keys-hint">The keys are for the marked question. j and k mark another one.</p>
      )}
      <ol className="inbox-questions">
        {questions.map((question, index) => (
          <InboxQuestion
            key={question.id}
            question={question}
            isMarked={index === at}
            isChosen={index === at && chosen !== undefined}
            onFocus={() => setChosen(question.id)}
          />
        ))}
      </ol>
      <LastAnswers answers={data?.decided ?? []} />
    </div>
  );
}

interface InboxQuestionProps {
  readonly question: Question;
  /** Whether the answer keys apply to this question. */
  readonly isMarked: boolean;
  /** Whether the user moved to this question. */
  readonly isChosen: boolean;
  onFocus(): void;
}

function InboxQuestion({ question, isMarked, isChosen, onFocus }: InboxQuestionProps) {
  const row = useInSight<HTMLLIElement>(isChosen);
  return (
    <li className={isMarked ? "chosen" : ""} aria-current={isMarked} onFocus={onFocus} ref={row}>
      <QuestionCard question={question} hasKeys={isMarked} namesSession={true} />
    </li>
  );
}
