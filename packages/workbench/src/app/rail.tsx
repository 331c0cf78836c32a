import { Link, useLocation } from "wouter";
import { isWithin, paths } from "../addresses/paths.ts";
import { AgentList } from "./agent-list.tsx";
import { SessionList } from "./session-list.tsx";

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
      <AgentList />
      <SessionList rowHeight={32} />
    </nav>
  );
}

function RailLink({ to, count = 0, children }: { to: string; count?: number; children: string }) {
  const [location] = useLocation();
  const isBelow = to !== paths.home && to !== paths.context; // URLs below the data context are context windows of sessions
  const isHere = isBelow ? isWithin(location, to) : location === to;
  return (
    <Link to={to} className="rail-link" aria-current={isHere ? "page" : undefined}>
      {children}
      {count > 0 && <span className="count">{count}</span>}
    </Link>
  );
}
