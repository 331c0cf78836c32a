import { showHidden } from "@bridle/protocol/text";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { Link, useLocation } from "wouter";
import { useServer } from "../connection/server.tsx";
import { useSignal } from "../connection/signal.ts";
import { Mark } from "../parts/mark.tsx";
import { TimeAgo } from "../text/time-ago.tsx";
import { paths } from "./paths.ts";

/** Sessions that the rail lists. */
const listedSessions = 30;

export function Rail({ questions }: { questions: number }) {
  return (
    <nav className="rail" aria-label="Bridle">
      <RailLink to={paths.home}>Bridle</RailLink>
      <RailLink to={paths.inbox} count={questions}>
        Inbox
      </RailLink>
      <RailLink to={paths.tests}>Tests</RailLink>
      <RailLink to={paths.rules}>Rules</RailLink>
      <RailLink to={paths.documents}>Documents</RailLink>
      <RailLink to={paths.context}>Data context</RailLink>
      <RailLink to={paths.status}>Status</RailLink>
      <SessionList />
    </nav>
  );
}

function RailLink({ to, count = 0, children }: { to: string; count?: number; children: string }) {
  const [location] = useLocation();
  const isBelow = to !== paths.home && to !== paths.context; // below the data context are windows of sessions
  const isHere = location === to || (isBelow && location.startsWith(`${to}/`));
  return (
    <Link to={to} className="rail-link" aria-current={isHere ? "page" : undefined}>
      {children}
      {count > 0 && <span className="count">{count}</span>}
    </Link>
  );
}

function SessionList() {
  const { client, live } = useServer();
  const runs = useSignal(live.runs);
  const cache = useQueryClient();
  // biome-ignore lint/correctness/useExhaustiveDependencies: other runs mean other sessions
  useEffect(() => void cache.invalidateQueries({ queryKey: ["sessions"] }), [runs, cache]);
  const { data } = useQuery({
    queryKey: ["sessions", "rail"],
    queryFn: () => client.sessions({ limit: listedSessions }),
    placeholderData: (before) => before,
  });
  return (
    <section className="rail-sessions" aria-label="Sessions">
      <h2>Sessions</h2>
      <ul>
        {data?.sessions.map(({ id, firstWords, inProgress, lastAt }) => (
          <li key={id}>
            <Link to={paths.session(id)} className="rail-session" title={firstWords ?? id}>
              {inProgress && <Mark kind="busy" label="a run is in progress" />}
              <span className="cut">{showHidden(firstWords ?? "nothing said yet")}</span>
              <span className="muted">
                <TimeAgo at={lastAt} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
