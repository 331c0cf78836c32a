import type { ApiApprovals } from "@bridle/client";
import { showHiddenInDocument } from "@bridle/protocol/text";
import { Link } from "wouter";
import { paths } from "../addresses/paths.ts";
import { Mark } from "../parts/mark.tsx";
import { WideTable } from "../parts/wide-table.tsx";
import { TimeAgo } from "../text/time-ago.tsx";

/** The newest answers, with the users who gave them. */
export function LastAnswers({ answers }: { answers: ApiApprovals["decided"] }) {
  if (answers.length === 0) return null;
  return (
    <section aria-label="Last answers">
      <h2>Last answers</h2>
      <WideTable label="Last answers">
        <table>
          <tbody>
            {answers.map(({ id, tool, session, decision, source, scope, by, at, message }) => (
              <tr key={id}>
                <td>
                  <Mark kind={decision === "allow" ? "ok" : "bad"} label={decision} />
                </td>
                <td>
                  {session === null ? (
                    showHiddenInDocument(tool)
                  ) : (
                    <Link to={paths.session(session)}>{showHiddenInDocument(tool)}</Link>
                  )}
                </td>
                <td>
                  {decision}
                  {scope !== "once" && `, ${scope}`}
                  {message !== null && <span className="muted"> “{showHiddenInDocument(message.slice(0, 200))}”</span>}
                </td>
                <td>{by ?? source}</td>
                <td>{at === null ? "waits for the next run" : <TimeAgo at={at} />}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </WideTable>
    </section>
  );
}
