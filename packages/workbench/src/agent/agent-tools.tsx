import type { ApiAgent } from "@bridle/client";
import { showHidden } from "@bridle/protocol/text";
import { WideTable } from "../parts/wide-table.tsx";
import { describePromises } from "../questions/describe-promises.ts";

type Details = NonNullable<ApiAgent["details"]>;

/** The tools of an agent, each with what it promises. */
export function AgentTools({ tools, builtins }: Pick<Details, "tools" | "builtins">) {
  return (
    <section aria-label="Tools">
      <h2>Tools</h2>
      {tools.length + builtins.length === 0 && <p className="muted">None: it answers from what it is told.</p>}
      <WideTable label="Tools">
        <table>
          <tbody>
            {tools.map(({ name, source, description, annotations }) => (
              <tr key={name}>
                <td className="id">{name}</td>
                <td>{describePromises(annotations)}</td>
                <td>{showHidden(description)}</td>
                <td className="muted">{source}</td>
              </tr>
            ))}
            {builtins.map((name) => (
              <tr key={name}>
                <td className="id">{name}</td>
                <td colSpan={3}>a tool of Claude Code itself</td>
              </tr>
            ))}
          </tbody>
        </table>
      </WideTable>
    </section>
  );
}
