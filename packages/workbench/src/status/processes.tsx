import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { paths } from "../addresses/paths.ts";
import { useServer } from "../connection/server.tsx";
import { Mark } from "../parts/mark.tsx";
import { Loading, Problem } from "../parts/states.tsx";
import { formatMoment } from "../text/describe-age.ts";
import { TimeAgo } from "../text/time-ago.tsx";
import { Facts } from "./facts.tsx";

/** The refresh interval, in milliseconds. */
const lookMs = 5000;

/** The processes that currently work on the project. */
export function Processes() {
  const { client } = useServer();
  const { data, error, refetch } = useQuery({
    queryKey: ["processes"],
    queryFn: () => client.processes(),
    refetchInterval: lookMs,
  });
  if (error && data === undefined) return <Problem error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Loading what="the processes" height="6rem" />;
  const { pid, started, node, memory, server, runs } = data;
  return (
    <>
      <Facts
        facts={[
          { name: "This server", value: `process ${pid}, Node.js ${node}, ${Math.round(memory / 1e6)} MB` },
          { name: "Since", value: formatMoment(new Date(started)) },
          ...(server === null || server.pid === pid
            ? []
            : [{ name: "Another server", value: `process ${server.pid} at ${server.url}` }]),
        ]}
      />
      {runs.length === 0 ? (
        <p className="muted">No run is in progress, here or in another process.</p>
      ) : (
        <ul className="plain-list">
          {runs.map(({ run, session, startedAt, isHere }) => (
            <li key={run}>
              <Mark kind="busy" label="in progress" />{" "}
              {session === null ? (
                <span className="id">{run}</span>
              ) : (
                <Link to={paths.session(session)}>{session}</Link>
              )}{" "}
              <span className="muted">
                {isHere ? "in this server" : "in another process"}, begun <TimeAgo at={startedAt} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
