import { listCost, showHidden } from "@bridle/protocol/text";
import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import { memo, useEffect, useRef, useState } from "react";
import { Link } from "wouter";
import { paths } from "../addresses/paths.ts";
import { useServer } from "../connection/server.tsx";
import { useAgentName } from "../connection/use-agent-name.ts";
import { KeyNames } from "../keys/key-names.tsx";
import { useCommands } from "../keys/keyboard.tsx";
import { Copyable } from "../parts/copyable.tsx";

interface ConversationHeadProps {
  readonly session: string;
  /** The newest run. */
  readonly run: string | undefined;
  /** Whether the conversation has been rendered. The head's data take as long to read, so they are requested afterwards. */
  readonly isRead: boolean;
  readonly isBusy: boolean;
  /** Whether the inspector is open. Escape then closes the inspector first. */
  readonly isInspecting: boolean;
}

/** How soon a second Escape has to follow the first one to stop the run, in milliseconds. */
const stopMs = 1000;

export const ConversationHead = memo(function ConversationHead({
  session,
  run,
  isRead,
  isBusy,
  isInspecting,
}: ConversationHeadProps) {
  const { client } = useServer();
  const { data } = useQuery({
    queryKey: ["session", session, isBusy],
    queryFn: () => client.session(session),
    enabled: isRead,
    placeholderData: keepPreviousData,
  });
  const agent = useAgentName(data?.agent);
  const stop = useMutation({ mutationFn: (id: string) => client.stop(id) });
  const { isAsking, press } = useSecondPress(() => isBusy && run !== undefined && stop.mutate(run));
  useCommands(
    isBusy && !isInspecting
      ? [{ id: "stop", title: "Stop the run: press twice", keys: "Escape", isGlobal: true, run: press }]
      : [],
  );
  return (
    <header className="conversation-head">
      <h1 className="hidden-text">Session {session}</h1>
      <Copyable text={session} label="id of the session" />
      <span className="muted cut">
        {[...(agent === undefined ? [] : [showHidden(agent)]), ...listCost(data?.totals.cost ?? undefined)].join(" · ")}
      </span>
      <span className="conversation-links">
        {data?.parentSession != null && (
          <Link to={paths.session(data.parentSession)} title="The conversation of the agent that called this one">
            Caller
          </Link>
        )}
        {run !== undefined && <Link to={paths.run(session, run)}>Replay</Link>}
        <Link to={paths.sessionContext(session)}>Context</Link>
      </span>
      <button
        type="button"
        className="danger stop"
        disabled={!isBusy || stop.isPending}
        onClick={() => run !== undefined && stop.mutate(run)}
      >
        Stop
      </button>
      <span role="status" className="hint">
        {isAsking && (
          <>
            <KeyNames keys="Escape" /> again stops the run
          </>
        )}
      </span>
    </header>
  );
});

function useSecondPress(act: () => void): { readonly isAsking: boolean; press(): void } {
  const [isAsking, setAsking] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const press = () => {
    clearTimeout(timer.current);
    if (isAsking) act();
    else timer.current = setTimeout(() => setAsking(false), stopMs);
    setAsking(!isAsking);
  };
  return { isAsking, press };
}
