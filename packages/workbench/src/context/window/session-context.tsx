import type { ApiContext } from "@bridle/client";
import { formatCount, formatPercent, shellWord } from "@bridle/protocol/text";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { paths } from "../../addresses/paths.ts";
import { useServer } from "../../connection/server.tsx";
import { useCommands } from "../../keys/keyboard.tsx";
import { Empty, Loading, NotFound } from "../../parts/states.tsx";
import { useSearchPlace } from "../../parts/use-search-place.ts";
import { charactersOf, groupByKind } from "./context-kinds.ts";
import { WindowMap } from "./window-map.tsx";
import { WindowNotes } from "./window-notes.tsx";
import { WindowTable } from "./window-table.tsx";
import "./window.css";

/** The content of the context window of a session. */
export function SessionContext({ session }: { session: string }) {
  const { client } = useServer();
  const at = toNumber(useSearchPlace().get("at"));
  const { data, error, refetch } = useQuery({
    queryKey: ["context", session, at],
    queryFn: () => client.context(session, at),
  });
  if (error && data === undefined) {
    return (
      <NotFound
        isPage
        error={error}
        retry={() => void refetch()}
        title="This session never existed, or was removed."
        commands={["npx bridle sessions list"]}
      >
        <Link to={paths.home}>Begin another one</Link>
      </NotFound>
    );
  }
  if (data === undefined) return <Loading what="the context" height="24rem" />;
  return (
    <div className="page session-context">
      <h1>Context window</h1>
      {data.parts.length === 0 ? (
        <Empty
          title="Nothing was sent to a model yet."
          commands={[`npx bridle sessions resume ${shellWord(session)} "Hello"`]}
        >
          <p>
            <Link to={paths.session(session)}>Write the first message</Link>, and look here again.
          </p>
        </Empty>
      ) : (
        <>
          <WindowFill session={session} context={data} />
          <WindowParts context={data} />
          <WindowNotes context={data} />
        </>
      )}
    </div>
  );
}

function toNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

function sumOf({ parts }: ApiContext): number {
  return parts.reduce((sum, { tokens }) => sum + tokens, 0);
}

function WindowFill({ session, context }: { session: string; context: ApiContext }) {
  const { tokens, contextWindow, seq } = context;
  const used = tokens ?? sumOf(context);
  return (
    <div className="window-fill">
      <p>
        <Link to={paths.session(session)}>{session}</Link> at event {formatCount(seq)}: {tokens === null && "about "}
        {formatCount(used)} tokens
        {contextWindow !== null && ` of ${formatCount(contextWindow)} (${formatPercent(used / contextWindow)})`}
      </p>
      {contextWindow !== null && <progress aria-label="Share of the window in use" value={used} max={contextWindow} />}
    </div>
  );
}

function WindowParts({ context }: { context: ApiContext }) {
  const { get, set } = useSearchPlace();
  const groups = groupByKind(context.parts);
  const kind = groups.find((group) => group.kind === get("kind"))?.kind;
  const chosen = toNumber(get("open"));
  const total = charactersOf(context.parts);
  const order = groups.flatMap(({ parts }) => parts.map(({ index }) => index));
  const step = (by: 1 | -1) => {
    const next = order[Math.max(0, Math.min(order.length - 1, order.indexOf(chosen ?? -1) + by))];
    if (next !== undefined) set({ open: next });
  };
  useCommands([
    { id: "window-next", title: "Next part of the window", keys: "j", run: () => step(1) },
    { id: "window-previous", title: "Previous part of the window", keys: "k", run: () => step(-1) },
  ]);
  const onChoose = (part: number) => set({ open: part === chosen ? undefined : part });
  return (
    <div className="window-columns">
      <WindowMap groups={groups} total={total} chosen={chosen} onChoose={onChoose} onKind={(kind) => set({ kind })} />
      <WindowTable
        groups={groups}
        total={total}
        kind={kind}
        chosen={chosen}
        onChoose={onChoose}
        onKind={(kind) => set({ kind })}
      />
    </div>
  );
}
