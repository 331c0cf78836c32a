import { showHiddenInDocument } from "@bridle/protocol/text";
import { useQuery } from "@tanstack/react-query";
import { Link, useLocation } from "wouter";
import { paths } from "../addresses/paths.ts";
import { useServer } from "../connection/server.tsx";
import { useAgentProblems } from "../connection/use-agent-problems.ts";
import { Mark } from "../parts/mark.tsx";

/** The agents of the project. Agents with an invalid file are marked. */
export function AgentList() {
  const { client } = useServer();
  const [location] = useLocation();
  const { data } = useQuery({ queryKey: ["agents"], queryFn: () => client.agents() });
  const problems = useAgentProblems();
  if (data === undefined || data.agents.length === 0) return null;
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
              title={showHiddenInDocument(problems.get(id) ?? name)}
            >
              <span className="cut">{showHiddenInDocument(name)}</span>
              {problems.has(id) && (
                <Mark kind="bad" label={`Its file is not valid: ${showHiddenInDocument(problems.get(id) ?? "")}`} />
              )}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
