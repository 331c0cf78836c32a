import { showHidden } from "@bridle/protocol/text";
import { useQuery } from "@tanstack/react-query";
import { Link, useLocation } from "wouter";
import { useServer } from "../connection/server.tsx";
import { Mark } from "../parts/mark.tsx";
import { paths } from "./paths.ts";

/** The agents of the project, with a mark at those whose file is not valid now. */
export function AgentList() {
  const { client } = useServer();
  const [location] = useLocation();
  const { data } = useQuery({ queryKey: ["agents"], queryFn: () => client.agents() });
  const checks = useQuery({
    queryKey: ["agents", "checks"],
    queryFn: () => client.agentChecks(),
    staleTime: 30_000,
    refetchInterval: 60_000,
  });
  if (data === undefined || data.agents.length === 0) return null;
  const problems = new Map(
    checks.data?.agents.flatMap(({ id, isValid, problem }) => (isValid ? [] : [[id, problem ?? "not valid"] as const])),
  );
  return (
    <section className="rail-agents" aria-label="Agents">
      <h2>Agents</h2>
      <ul>
        {data.agents.map(({ id, name }) => (
          <li key={id}>
            <Link
              to={paths.agent(id)}
              className="rail-session"
              aria-current={location === paths.agent(id) ? "page" : undefined}
              title={showHidden(problems.get(id) ?? name)}
            >
              <span className="cut">{showHidden(name)}</span>
              {problems.has(id) && (
                <Mark kind="bad" label={`Its file is not valid: ${showHidden(problems.get(id) ?? "")}`} />
              )}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
