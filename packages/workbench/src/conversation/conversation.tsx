import { useMemo, useState } from "react";
import { Link } from "wouter";
import { paths } from "../app/paths.ts";
import { useServer } from "../connection/server.tsx";
import { useSignal } from "../connection/signal.ts";
import { useSession } from "../connection/use-session.ts";
import { Empty, Loading, Problem } from "../parts/states.tsx";
import { ConversationHead } from "./conversation-head.tsx";
import { Dock } from "./dock.tsx";
import { QuestionsContext } from "./docked-question.tsx";
import { EntryList } from "./entry-list.tsx";
import { isRunning } from "./run-state.ts";
import { Composer } from "./writing/composer.tsx";
import type { QueuedPrompt } from "./writing/queue-storage.ts";
import { useQueuedPrompts } from "./writing/use-queued-prompts.ts";
import "./conversation.css";

/** A session: what was said, what was called, what is asked, and the place to write. */
export function Conversation({ session }: { session: string }) {
  const { kind, error, transcript, reload } = useSession(session);
  const isBusy = isRunning(transcript);
  const queue = useQueuedPrompts(session, { isBusy, seq: transcript?.seq });
  const [takenBack, setTakenBack] = useState<QueuedPrompt>();
  const { open, docked, dock } = useQuestions(session);
  const context = useMemo(() => ({ open, dock }), [open, dock]);
  if (kind === "missing") return <NoSession />;
  if (kind === "failed") return <Problem error={error} retry={reload} />;
  return (
    <QuestionsContext value={context}>
      <div className="conversation">
        <ConversationHead session={session} run={transcript?.runId} isRead={transcript !== undefined} isBusy={isBusy} />
        {transcript === undefined ? (
          <Loading what="the session" height="100%" />
        ) : (
          <EntryList
            session={session}
            transcript={transcript}
            isBusy={isBusy}
            isAsked={open.length > 0}
            queued={queue.prompts}
            sentId={queue.sentId}
            onWithdraw={(id) => setTakenBack(queue.withdraw(id))}
          />
        )}
        <Dock questions={open} chosen={docked}>
          {queue.problem !== undefined && (
            <p className="line-problem" role="alert">
              {queue.problem}
            </p>
          )}
          <Composer
            session={session}
            isBusy={isBusy}
            lastPrompt={queue.lastPrompt(transcript)}
            takenBack={takenBack}
            onSend={queue.send}
          />
        </Dock>
      </div>
    </QuestionsContext>
  );
}

/** The open questions of a session, and the one that a person wants to answer first. */
function useQuestions(session: string) {
  const { live } = useServer();
  const all = useSignal(live.approvals);
  const [docked, dock] = useState<string>();
  const open = useMemo(() => (all ?? []).filter((each) => each.session === session), [all, session]);
  return { open, docked, dock };
}

function NoSession() {
  return (
    <Empty title="This session never existed, or was removed.">
      <p>
        <Link to={paths.home}>Begin another one</Link>, or look for it in the list.
      </p>
    </Empty>
  );
}
