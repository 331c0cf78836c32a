import { useMemo, useRef, useState } from "react";
import { Link } from "wouter";
import { paths } from "../addresses/paths.ts";
import { useSpokenAnswers } from "../announcing/use-spoken-answers.ts";
import { useServer } from "../connection/server.tsx";
import { type SessionEntry, withRetries } from "../connection/session-entries.ts";
import { useSignal } from "../connection/signal.ts";
import { useSession } from "../connection/use-session.ts";
import { Empty, Loading, Problem } from "../parts/states.tsx";
import type { Question } from "../questions/question-keys.ts";
import { askedByCalls, questionsOf } from "../questions/session-questions.ts";
import { ConversationHead } from "./conversation-head.tsx";
import { Dock } from "./dock.tsx";
import { QuestionsContext } from "./docked-question.tsx";
import { EntryList } from "./entry-list.tsx";
import { Inspector } from "./inspector/inspector.tsx";
import { useInspector } from "./inspector/use-inspector.ts";
import { isRunning } from "./run-state.ts";
import { Composer } from "./writing/composer.tsx";
import type { QueuedPrompt } from "./writing/queue-storage.ts";
import { RefusedPrompt } from "./writing/refused-prompt.tsx";
import { useQueuedPrompts } from "./writing/use-queued-prompts.ts";
import "./conversation.css";

/** A session: its messages, its tool calls, its open questions, and the composer. */
export function Conversation({ session }: { session: string }) {
  const { kind, error, transcript: logged, reload } = useSession(session);
  const transcript = useMemo(() => logged && withRetries(logged), [logged]);
  useSpokenAnswers(transcript);
  const page = useRef<HTMLDivElement>(null);
  const inspector = useInspector(page, transcript);
  const isBusy = isRunning(transcript);
  const queue = useQueuedPrompts(session, { isBusy, seq: transcript?.seq });
  const [takenBack, setTakenBack] = useState<QueuedPrompt>();
  const takeBack = (id: string) => setTakenBack(queue.withdraw(id));
  const { open, docked, dock } = useQuestions(session, transcript?.entries);
  const context = useMemo(() => ({ open, dock }), [open, dock]);
  if (kind === "missing") return <NoSession />;
  if (kind === "failed") return <Problem error={error} retry={reload} />;
  return (
    <QuestionsContext value={context}>
      <div className="conversation-columns" ref={page}>
        <div className="conversation">
          <ConversationHead
            session={session}
            isBusy={isBusy}
            run={transcript?.runId}
            isRead={transcript !== undefined}
            isInspecting={inspector.isOpen}
          />
          {transcript === undefined ? (
            <Loading what="the session" height="100%" />
          ) : (
            <EntryList
              session={session}
              transcript={transcript}
              isBusy={isBusy}
              isAsked={open.length > 0}
              inspector={inspector}
              queued={queue.prompts}
              sentId={queue.sentId}
              refusedId={queue.problem?.id}
              onWithdraw={takeBack}
            />
          )}
          <Dock questions={open} chosen={docked}>
            <RefusedPrompt queue={queue} onTakeBack={takeBack} />
            <Composer
              session={session}
              isBusy={isBusy}
              isFirst={transcript?.entries.length === 0}
              lastPrompt={queue.lastPrompt(transcript)}
              takenBack={takenBack}
              onSend={queue.send}
            />
          </Dock>
        </div>
        {inspector.isOpen && transcript && <Inspector session={session} inspector={inspector} />}
      </div>
    </QuestionsContext>
  );
}

const noEntries: readonly SessionEntry[] = [];
const noQuestions: readonly Question[] = [];

/**
 * Returns the open questions of a session and of the agents that its calls started, and the question that the user wants to answer first.
 */
function useQuestions(session: string, entries = noEntries) {
  const { live } = useServer();
  const all = useSignal(live.approvals) ?? noQuestions;
  const [docked, dock] = useState<string>();
  const asked = useMemo(() => askedByCalls(all, session, entries), [all, session, entries]);
  const open = useMemo(() => questionsOf(all, session, asked), [all, session, asked]);
  return { open, docked, dock };
}

function NoSession() {
  return (
    <Empty isPage title="This session never existed, or was removed." commands={["npx bridle sessions list"]}>
      <p>
        <Link to={paths.home}>Begin another one</Link>, or look for it among the sessions that the command lists.
      </p>
    </Empty>
  );
}
