import { formatCount } from "@bridle/protocol/text";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { paths } from "../app/paths.ts";
import { useServer } from "../connection/server.tsx";
import { Loading, Problem } from "../parts/states.tsx";
import { sumByKind } from "./context-kinds.ts";
import "./context.css";
import { WideTable } from "../parts/wide-table.tsx";

/** What fills the context window of a session. */
export function SessionContext({ session }: { session: string }) {
  const { client } = useServer();
  const { data, error, refetch } = useQuery({ queryKey: ["context", session], queryFn: () => client.context(session) });
  if (error && data === undefined) return <Problem error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Loading what="the context" height="24rem" />;
  const kinds = sumByKind(data.parts);
  const total = kinds.reduce((sum, { tokens }) => sum + tokens, 0);
  const largest = data.parts.toSorted((a, b) => b.tokens - a.tokens).slice(0, 50);
  return (
    <div className="page">
      <h1>Context window</h1>
      <p>
        <Link to={paths.session(session)}>{session}</Link>: about {formatCount(data.tokens ?? total)} tokens
        {data.contextWindow !== null && ` of ${formatCount(data.contextWindow)}`}
      </p>
      <ul className="context-bar" aria-label="Parts of the window">
        {kinds.map(({ kind, tokens, words }) => (
          <li
            key={kind}
            className={`context-${kind}`}
            style={{ flexGrow: tokens }}
            title={`${words}: ${formatCount(tokens)} tokens`}
          >
            <span className="cut">{words}</span>
          </li>
        ))}
      </ul>
      <WideTable label="Parts of the window">
        <table>
          <thead>
            <tr>
              <th scope="col">Part</th>
              <th scope="col">Name</th>
              <th scope="col" className="number">
                Tokens, about
              </th>
              <th scope="col" className="number">
                Characters
              </th>
            </tr>
          </thead>
          <tbody>
            {largest.map(({ kind, name, message, characters, tokens }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: parts have no id of their own
              <tr key={index}>
                <td>{kind}</td>
                <td>{name ?? (message === null ? "" : `message ${message}`)}</td>
                <td className="number">{tokens === 0 && characters > 0 ? "under 1" : formatCount(tokens)}</td>
                <td className="number">{formatCount(characters)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </WideTable>
      {data.replaced.map(({ seq, reason, messages }) => (
        <p key={seq} className="muted">
          At event {seq} the history was {reason}: {messages} messages since then.
        </p>
      ))}
      {[
        ...data.hostAdds,
        ...data.implicitSources.map(
          ({ kind, path, inForce }) => `${kind} ${path ?? ""} ${inForce ? "is in force" : "was kept out"}`,
        ),
      ].map((line) => (
        <p key={line} className="muted">
          {line}
        </p>
      ))}
    </div>
  );
}
