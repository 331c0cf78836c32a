import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { paths } from "../addresses/paths.ts";
import { useServer } from "../connection/server.tsx";
import { Loading, NotFound } from "../parts/states.tsx";
import { useSearchPlace } from "../parts/use-search-place.ts";
import { ReplayActions } from "./replay-actions.tsx";
import { ReplayEntries, shownEntries } from "./replay-entries.tsx";
import { ReplayHead } from "./replay-head.tsx";
import { ReplaySteps } from "./replay-steps.tsx";
import { Scrubber } from "./scrubber.tsx";
import { WindowChart } from "./window-chart.tsx";
import "./replay.css";

/** The state of a run at any of its events. */
export function Replay({ session, run }: { session: string; run: string }) {
  const { client } = useServer();
  const place = useSearchPlace();
  const asked = Number(place.get("at"));
  const at = Number.isSafeInteger(asked) && asked > 0 ? asked : undefined;
  const { data, error, refetch } = useQuery({
    queryKey: ["replay", run, at],
    queryFn: () => client.replay(run, { at, entries: shownEntries }),
    placeholderData: keepPreviousData,
    staleTime: at === undefined ? 0 : Number.POSITIVE_INFINITY, // past events do not change
    gcTime: 5_000, // each position is a whole transcript
  });
  if (error && data === undefined) {
    return (
      <NotFound
        isPage
        error={error}
        retry={() => void refetch()}
        title="This run never existed, or was removed."
        commands={["npx bridle sessions list"]}
      >
        <Link to={paths.session(session)}>To its session</Link>
      </NotFound>
    );
  }
  if (data === undefined) return <Loading what="the run" height="100%" />;
  const show = (seq: number) => place.set({ at: Math.max(data.firstSeq, Math.min(seq, data.lastSeq)) });
  return (
    <div className="replay">
      <ReplayHead session={session} run={run} />
      <Scrubber replay={data} at={at ?? data.at} onChange={show} />
      <div className="replay-columns">
        <ReplaySteps replay={data} at={at ?? data.at} onShow={show} />
        <ReplayEntries session={session} replay={data} />
        <aside className="replay-side" aria-label="This place of the run">
          <WindowChart replay={data} at={at ?? data.at} />
          <Link to={paths.sessionContext(session, at ?? data.at)}>The context window here, part by part</Link>
          <ReplayActions session={session} replay={data} />
        </aside>
      </div>
    </div>
  );
}
