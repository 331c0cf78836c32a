import { formatCount } from "@bridle/protocol/text";
import { useQuery } from "@tanstack/react-query";
import { useServer } from "../connection/server.tsx";
import { Loading, Problem } from "../parts/states.tsx";
import { WideTable } from "../parts/wide-table.tsx";

/** The models that the host lists, with the roles that use them. */
export function Models() {
  const { client } = useServer();
  const models = useQuery({ queryKey: ["models"], queryFn: () => client.models(), staleTime: 60_000 });
  return (
    <section aria-label="Models">
      <h2>Models</h2>
      {models.error && <Problem error={models.error} retry={() => void models.refetch()} />}
      {models.isPending && <Loading what="the models" height="4rem" />}
      {models.data?.reason && <p className="muted">{models.data.reason}</p>}
      <WideTable label="Models">
        <table>
          <tbody>
            {models.data?.models.map(({ id, aliases, roles, contextWindow }) => (
              <tr key={id}>
                <td className="id">{id}</td>
                <td>{aliases.join(", ")}</td>
                <td>{roles.join(", ")}</td>
                <td className="number">{contextWindow && `${formatCount(contextWindow.tokens)} tokens`}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </WideTable>
    </section>
  );
}
