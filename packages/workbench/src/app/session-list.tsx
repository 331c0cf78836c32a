import { showHiddenInDocument } from "@bridle/protocol/text";
import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef } from "react";
import { Link, useLocation } from "wouter";
import { isWithin, paths } from "../addresses/paths.ts";
import { mayReadOn, readAgain } from "../connection/next-page.ts";
import { useServer } from "../connection/server.tsx";
import { useSignal } from "../connection/signal.ts";
import { Mark } from "../parts/mark.tsx";
import { Problem } from "../parts/states.tsx";
import { TimeAgo } from "../text/time-ago.tsx";

/** The number of sessions to load at once. */
const pageLength = 50;

interface SessionListProps {
  /** The height of a row in pixels. */
  readonly rowHeight: number;
  onGo?(): void;
}

/** All sessions, newest first. Later pages are loaded when the user scrolls to them. */
export function SessionList({ rowHeight, onGo }: SessionListProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const [location] = useLocation();
  const { sessions, isRead, hasMore, more, problem, retry } = useSessions();
  const list = useVirtualizer({
    count: sessions.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 4,
  });
  const rows = list.getVirtualItems();
  const lastShown = rows.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && lastShown >= sessions.length - 5) more();
  }, [hasMore, lastShown, sessions.length, more]);
  return (
    <section className="rail-sessions" aria-label="Sessions">
      <h2>Sessions</h2>
      {isRead && sessions.length === 0 && <p className="muted rail-none">None yet. Talk with an agent to begin one.</p>}
      <div ref={scroller} className="rail-scroller">
        <ul style={{ height: list.getTotalSize() }}>
          {rows.map(({ index, start }) => {
            const session = sessions[index];
            if (session === undefined) return null;
            const { id, firstWords, inProgress, lastAt } = session;
            return (
              <li key={id} style={{ transform: `translateY(${start}px)` }}>
                <Link
                  to={paths.session(id)}
                  className="rail-session"
                  aria-current={isWithin(location, paths.session(id)) ? "page" : undefined}
                  onClick={onGo}
                  style={{ height: rowHeight }}
                  title={showHiddenInDocument((firstWords ?? id).slice(0, 300))}
                >
                  {inProgress && <Mark kind="busy" label="a run is in progress" />}
                  <span className="cut" dir="auto">
                    {showHiddenInDocument(firstWords ?? "no messages yet")}
                  </span>
                  <span className="muted">
                    <TimeAgo at={lastAt} />
                  </span>
                </Link>
              </li>
            );
          })}
        </ul>
      </div>
      {problem && <Problem error={problem} retry={retry} />}
    </section>
  );
}

function useSessions() {
  const { client, live } = useServer();
  const runs = useSignal(live.runs);
  const cache = useQueryClient();
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the runs change, the sessions change
  useEffect(() => void cache.invalidateQueries({ queryKey: ["sessions"] }), [runs, cache]);
  const pages = useInfiniteQuery({
    queryKey: ["sessions", "rail"],
    queryFn: ({ pageParam }) => client.sessions({ limit: pageLength, ...(pageParam !== "" && { cursor: pageParam }) }),
    initialPageParam: "",
    getNextPageParam: ({ next }) => next ?? undefined,
  });
  const { data, error, isFetchNextPageError } = pages;
  const seen = new Map((data?.pages ?? []).flatMap(({ sessions }) => sessions.map((each) => [each.id, each] as const)));
  return {
    sessions: [...seen.values()],
    isRead: data !== undefined,
    hasMore: mayReadOn(pages),
    more: pages.fetchNextPage,
    problem: data === undefined || isFetchNextPageError ? error : null,
    retry: () => readAgain(pages),
  };
}
