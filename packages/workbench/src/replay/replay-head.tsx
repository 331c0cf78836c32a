import { formatCost, formatDuration } from "@bridle/protocol/text";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { paths } from "../addresses/paths.ts";
import { useServer } from "../connection/server.tsx";
import { Copyable } from "../parts/copyable.tsx";
import { TimeAgo } from "../text/time-ago.tsx";

const ends = { natural: "complete", budget: "out of budget", stopped: "stopped", error: "failed" } as const;

export function ReplayHead({ session, run }: { session: string; run: string }) {
  const { client } = useServer();
  const { data } = useQuery({ queryKey: ["run", run], queryFn: () => client.run(run) });
  const facts = data && [
    data.result ? ends[data.result.stopReason] : "in progress",
    [data.backend, data.model].filter(Boolean).join(", "),
    ...(data.rehearsed ? ["rehearsed"] : []),
    ...(data.durationMs === null ? [] : [formatDuration(data.durationMs)]),
    ...(data.result?.cost ? [formatCost(data.result.cost)] : []),
  ];
  return (
    <header className="conversation-head">
      <h1 className="hidden-text">Run {run}</h1>
      <Link to={paths.session(session)}>← Conversation</Link>
      <Copyable text={run} label="id of the run" />
      <span className="muted cut">
        {facts?.join(" · ")} · {data && <TimeAgo at={data.startedAt} />}
      </span>
    </header>
  );
}
