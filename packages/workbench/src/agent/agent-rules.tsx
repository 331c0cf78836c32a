import type { ApiAgent } from "@bridle/client";
import { showHidden } from "@bridle/protocol/text";
import { Link } from "wouter";
import { paths } from "../addresses/paths.ts";
import { WideTable } from "../parts/wide-table.tsx";
import { WrappingName } from "../parts/wrapping-name.tsx";
import { Decision } from "../rules/decision.tsx";

/** The rules in force, in order of precedence, each with the file that defines it. */
export function AgentRules({ rules }: Pick<ApiAgent, "rules">) {
  return (
    <section aria-label="Rules in force">
      <h2>Rules in force</h2>
      {rules.length === 0 ? (
        <p className="muted">
          None: every tool may be called. <Link to={paths.rules}>Add rules</Link>
        </p>
      ) : (
        <WideTable label="Rules">
          <table>
            <thead>
              <tr>
                {["Calls", "Decision", "Rule", "From"].map((title) => (
                  <th key={title} scope="col">
                    {title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rules.map(({ rule, subject, decision, source }, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: only the position distinguishes two equal rules
                <tr key={index}>
                  <td>{showHidden(subject)}</td>
                  <td>
                    <Decision decision={decision} />
                  </td>
                  <td className="muted id">
                    <WrappingName text={showHidden(rule)} />
                  </td>
                  <td>{source === "bridle.yaml" ? <Link to={paths.rules}>{source}</Link> : showHidden(source)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </WideTable>
      )}
    </section>
  );
}
