import { formatCount } from "@bridle/protocol/text";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { paths } from "../../addresses/paths.ts";
import { useServer } from "../../connection/server.tsx";
import type { SessionEntry } from "../../connection/session-entries.ts";
import { groupByKind } from "../../context/window/context-kinds.ts";
import { Loading, Problem } from "../../parts/states.tsx";

/** The content of the model's window when the entry was complete. */
export function InspectedContext({ session, entry }: { session: string; entry: SessionEntry }) {
  const { client } = useServer();
  const at = entry.kind === "tool" ? (entry.endSeq ?? entry.seq) : entry.seq;
  const { data, error, refetch } = useQuery({
    queryKey: ["context", session, at],
    queryFn: () => client.context(session, at),
    staleTime: Number.POSITIVE_INFINITY, // past events do not change
  });
  if (error) return <Problem error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Loading what="the context" height="12rem" />;
  const kinds = groupByKind(data.parts);
  const total = kinds.reduce((sum, { tokens }) => sum + tokens, 0);
  return (
    <>
      <p>
        About {formatCount(data.tokens ?? total)} tokens
        {data.contextWindow !== null && ` of ${formatCount(data.contextWindow)}`} at event {at}.
      </p>
      <table className="inspected-kinds">
        <tbody>
          {kinds.map(({ kind, title, tokens, share }) => (
            <tr key={kind}>
              <th scope="row">{title}</th>
              <td className="number">{formatCount(tokens)}</td>
              <td className="kind-share">
                <meter min={0} max={1000} value={share} aria-label={`Share of ${title}`} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p>
        <Link to={paths.sessionContext(session, at)}>The whole window, part by part</Link>
      </p>
    </>
  );
}
