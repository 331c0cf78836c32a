import type { ApiRules } from "@bridle/client";
import { showHiddenInName } from "@bridle/protocol/text";
import { WideTable } from "../parts/wide-table.tsx";
import { WrappingName } from "../parts/wrapping-name.tsx";
import { Decision } from "./decision.tsx";

/** The rules in order of precedence. */
export function RulesOrder({ order }: { order: ApiRules["order"] }) {
  return (
    <WideTable label="Rules in their order">
      <table className="rules-order">
        <thead>
          <tr>
            <th scope="col">#</th>
            <th scope="col">Decision</th>
            <th scope="col">Calls</th>
            <th scope="col">Rule</th>
          </tr>
        </thead>
        <tbody>
          {order.map(({ rule, subject, decision }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: only the position distinguishes two equal rules
            <tr key={index}>
              <td className="number muted">{index + 1}</td>
              <td>
                <Decision decision={decision} />
              </td>
              <td className="rule-subject">
                <WrappingName text={showHiddenInName(subject)} />
              </td>
              <td className="muted id rule-id">
                <WrappingName text={showHiddenInName(rule)} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </WideTable>
  );
}
