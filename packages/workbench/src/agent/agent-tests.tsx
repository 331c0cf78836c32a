import { Link } from "wouter";
import { paths, withSearch } from "../addresses/paths.ts";
import { LastTests } from "../home/last-tests.tsx";

/** The test cases of the agent, with their latest results. */
export function AgentTests({ agent, cases }: { agent: string; cases: number }) {
  return (
    <section aria-label="Tests">
      <h2>Tests</h2>
      <LastTests agent={agent} cases={cases} />
      <p className="link-alone">
        <Link to={withSearch(paths.tests, { agent })}>
          {cases === 0 ? "How to write the first case" : "All results, and run them"}
        </Link>
      </p>
    </section>
  );
}
