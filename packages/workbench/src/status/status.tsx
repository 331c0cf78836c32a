import { useQuery } from "@tanstack/react-query";
import { useServer } from "../connection/server.tsx";
import { Loading, Problem } from "../parts/states.tsx";
import { DoctorChecks } from "./doctor-checks.tsx";
import { Facts } from "./facts.tsx";
import { statusFacts } from "./status-facts.ts";
import "./status.css";
import { WideTable } from "../parts/wide-table.tsx";

/** What runs here, on whose account, and whether it works. */
export function Status() {
  const { client } = useServer();
  const { data, error, refetch } = useQuery({ queryKey: ["status"], queryFn: () => client.status() });
  const models = useQuery({ queryKey: ["models"], queryFn: () => client.models(), staleTime: 60_000 });
  if (error && data === undefined) return <Problem error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Loading what="the status" height="24rem" />;
  const { project } = data;
  return (
    <div className="page">
      <h1>Status</h1>
      {project.limits.usedUp && (
        <p className="note" role="alert">
          The {project.limits.usedUp.window} limit of the account is used up until {project.limits.usedUp.resetsAt}.
        </p>
      )}
      {project.degraded.map((reason) => (
        <p key={reason} className="note">
          {reason}
        </p>
      ))}
      <Facts facts={statusFacts(data)} />
      <section aria-label="Checks">
        <h2>Checks</h2>
        <DoctorChecks />
      </section>
      <section aria-label="Models">
        <h2>Models</h2>
        {models.data?.reason && <p className="muted">{models.data.reason}</p>}
        <WideTable label="Models">
          <table>
            <tbody>
              {models.data?.models.map(({ id, aliases, roles, contextWindow }) => (
                <tr key={id}>
                  <td className="id">{id}</td>
                  <td>{aliases.join(", ")}</td>
                  <td>{roles.join(", ")}</td>
                  <td className="number">
                    {contextWindow && `${contextWindow.tokens.toLocaleString("en-US")} tokens`}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </WideTable>
      </section>
    </div>
  );
}
