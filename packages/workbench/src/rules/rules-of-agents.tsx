import { counted, showHiddenInName } from "@bridle/protocol/text";
import { useQueries, useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { paths } from "../addresses/paths.ts";
import { useServer } from "../connection/server.tsx";

/** Lists the agents with their own rules, because those apply to most of their calls. */
export function RulesOfAgents() {
  const { client } = useServer();
  const agents = useQuery({ queryKey: ["agents"], queryFn: () => client.agents(), staleTime: 60_000 });
  const details = useQueries({
    queries: (agents.data?.agents ?? []).map(({ id }) => ({
      queryKey: ["agent", id],
      queryFn: () => client.agent(id),
      staleTime: 60_000,
    })),
  });
  const ruled = details.flatMap(({ data }) => {
    const policy = data?.details?.policy;
    return data && policy ? [{ id: data.id, name: data.name, rules: policy.rules }] : [];
  });
  if (ruled.length === 0) return null;
  return (
    <section aria-label="Rules of agents">
      <h2>In the files of agents</h2>
      <p className="muted">
        What is denied above is denied to these agents too. About all else their own rules decide.
      </p>
      <ul className="plain-list ruled-agents">
        {ruled.map(({ id, name, rules }) => (
          <li key={id}>
            <Link to={paths.agent(id)}>{showHiddenInName(name)}</Link>{" "}
            <span className="muted">{counted(rules, "rule")}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
