import { showHidden } from "@bridle/protocol/text";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useServer } from "../connection/server.tsx";
import { Loading, Problem } from "../parts/states.tsx";
import { WideTable } from "../parts/wide-table.tsx";
import { TimeAgo } from "../text/time-ago.tsx";
import { Decision } from "./decision.tsx";

/** Lists the remembered answers. */
export function Permissions() {
  const { client } = useServer();
  const { data, error, refetch } = useQuery({ queryKey: ["permissions"], queryFn: () => client.permissions() });
  const forget = useMutation({ mutationFn: (id: string) => client.forgetPermission(id), onSuccess: () => refetch() });
  return (
    <section className="permissions" aria-label="Remembered answers">
      <h2>Remembered answers</h2>
      {error && <Problem error={error} retry={() => void refetch()} />}
      {forget.error && <Problem error={forget.error} />}
      {data === undefined && !error && <Loading what="the answers" height="2rem" />}
      {data?.permissions.length === 0 && (
        <p className="muted">None. An answer is remembered when you give it for the session, the project or always.</p>
      )}
      {data !== undefined && data.permissions.length > 0 && (
        <WideTable label="Remembered answers">
          <table>
            <thead>
              <tr>
                <th scope="col">Answer</th>
                <th scope="col">Holds for</th>
                <th scope="col">
                  <span className="hidden-text">Take back</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {data.permissions.map(({ id, tool, when, decision, scope, by, at }) => (
                <tr key={id}>
                  <td className="permission">
                    <Decision decision={decision} /> {showHidden(tool, "")}{" "}
                    {when && <code className="muted">{showHidden(JSON.stringify(when), "")}</code>}
                    <p className="muted">
                      {showHidden(by, "")}, <TimeAgo at={at} />
                    </p>
                  </td>
                  <td>{scope === "project" ? "this project" : scope === "session" ? "one session" : scope}</td>
                  <td>
                    <button
                      type="button"
                      disabled={forget.isPending}
                      onClick={() => forget.mutate(id)}
                      aria-label={`Take back ${decision} for ${tool}`}
                    >
                      Take back
                    </button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </WideTable>
      )}
    </section>
  );
}
