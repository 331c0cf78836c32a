import { formatCost, formatCount } from "@bridle/protocol/text";
import { useQuery } from "@tanstack/react-query";
import { useServer } from "../connection/server.tsx";
import { Loading, Problem } from "../parts/states.tsx";
import { WideTable } from "../parts/wide-table.tsx";
import { describePayer } from "./status-facts.ts";

interface CostsByDayProps {
  readonly backend: string;
  /** A note about who pays for the backend of the project. */
  readonly auth: string | null;
}

/** The cost of runs by day, from the event log. */
export function CostsByDay({ backend, auth }: CostsByDayProps) {
  const { client } = useServer();
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  const { data, error, refetch } = useQuery({
    queryKey: ["costs", timeZone],
    queryFn: () => client.costs({ timeZone }),
    staleTime: 30_000,
  });
  if (error && data === undefined) return <Problem error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Loading what="the event log" height="8rem" />;
  if (data.days.length === 0) return <p className="muted">No run in the last 14 days.</p>;
  const payer = auth === null ? null : describePayer(auth);
  return (
    <>
      <WideTable label="Costs by day">
        <table>
          <thead>
            <tr>
              <th scope="col">Day</th>
              <th scope="col">Account</th>
              {["Runs", "Rehearsed", "Tokens", "Cost"].map((title) => (
                <th key={title} scope="col" className="number">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {data.days.map(({ day, backend: of, runs, rehearsed, tokens, cost }) => (
              <tr key={`${day} ${of}`}>
                <td className="day">{day}</td>
                <td>
                  {of}
                  {of === backend && payer !== null && <span className="muted">, {payer}</span>}
                </td>
                <td className="number">{formatCount(runs)}</td>
                <td className="number">{formatCount(rehearsed)}</td>
                <td className="number">{formatCount(tokens)}</td>
                <td className="number">{rehearsed === runs ? "–" : cost === null ? "not known" : formatCost(cost)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </WideTable>
      {data.days.some(({ cost }) => cost?.estimate) && (
        <p className="muted">
          An estimate is the cost of the tokens by the list price: a subscription does not bill them.
        </p>
      )}
      {!data.isWhole && <p className="muted">Only the newest 1,000 runs are counted.</p>}
    </>
  );
}
