import { Link } from "wouter";
import { paths } from "../app/paths.ts";
import { useServer } from "../connection/server.tsx";
import { useSignal } from "../connection/signal.ts";
import { useSession } from "../connection/use-session.ts";
import { Empty, Loading, Problem } from "../parts/states.tsx";
import { QuestionCard } from "../questions/question-card.tsx";
import { Composer } from "./composer.tsx";
import { ConversationHead } from "./conversation-head.tsx";
import { EntryList } from "./entry-list.tsx";
import { isRunning } from "./run-state.ts";
import { useQueuedPrompts } from "./use-queued-prompts.ts";
import "./conversation.css";

/** A session: what was said, what was called, what is asked, and the place to write. */
export function Conversation({ session }: { session: string }) {
  const { live } = useServer();
  const { kind, error, transcript, reload } = useSession(session);
  const questions = (useSignal(live.approvals) ?? []).filter((each) => each.session === session);
  const isBusy = isRunning(transcript);
  const queue = useQueuedPrompts(session, { isBusy, isKnown: kind === "ready" });
  if (kind === "missing") {
    return (
      <Empty title="This session never existed, or was removed.">
        <p>
          <Link to={paths.home}>Begin another one</Link>, or look for it in the list.
        </p>
      </Empty>
    );
  }
  if (kind === "failed") return <Problem error={error} retry={reload} />;
  const [first] = questions;
  return (
    <div className="conversation">
      <ConversationHead session={session} transcript={transcript} isBusy={isBusy} />
      {transcript === undefined ? (
        <Loading what="the session" height="100%" />
      ) : (
        <EntryList
          session={session}
          transcript={transcript}
          isBusy={isBusy}
          queued={queue.prompts}
          onWithdraw={queue.withdraw}
        />
      )}
      <div className="dock">
        {first && (
          <>
            {questions.length > 1 && (
              <p className="muted">{questions.length} questions are open. This is the oldest.</p>
            )}
            <QuestionCard key={first.id} question={first} hasKeys={true} takesFocus={true} />
          </>
        )}
        {queue.problem !== undefined && (
          <p className="line-problem" role="alert">
            {queue.problem}
          </p>
        )}
        <Composer session={session} isBusy={isBusy} lastPrompt={queue.lastPrompt(transcript)} onSend={queue.send} />
      </div>
    </div>
  );
}
