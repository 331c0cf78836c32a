import type { ApiRulePreview } from "@bridle/client";
import { counted, showHidden } from "@bridle/protocol/text";
import { Link } from "wouter";
import { paths } from "../addresses/paths.ts";
import { DiffLines } from "../parts/diff-lines.tsx";
import { useInSight } from "../parts/use-in-sight.ts";
import { WideTable } from "../parts/wide-table.tsx";
import { WrappingName } from "../parts/wrapping-name.tsx";
import { Decision } from "./decision.tsx";

/** The maximum number of calls to list. */
const shownCalls = 50;

interface RulesPreviewProps {
  readonly preview: ApiRulePreview;
  /** Explains the effect of adding the first rule or removing the last one. */
  readonly turn: string | undefined;
}

/** The effects of a change on the file and on recorded calls. */
export function RulesPreview({ preview: { diff, calls, changed }, turn }: RulesPreviewProps) {
  const place = useInSight<HTMLElement>(true);
  const others = calls.filter(({ isChanged }) => isChanged);
  return (
    <section className="rules-preview" aria-label="Effects" ref={place}>
      {turn !== undefined && <p className="note">{turn}</p>}
      <h2>What would have happened</h2>
      <p role="status">
        {calls.length === 0
          ? "No call is on record yet, so there is nothing to compare with."
          : `Of the last ${counted(calls.length, "call")}, ${changed === 0 ? "none" : changed} would have been decided otherwise.`}
      </p>
      {others.length > 0 && <ChangedCalls calls={others.slice(0, shownCalls)} />}
      {others.length > shownCalls && <p className="muted">And {counted(others.length - shownCalls, "other")}.</p>}
      <h2>In the file</h2>
      {diff.trim() === "" ? <p className="muted">Nothing.</p> : <DiffLines text={diff} />}
    </section>
  );
}

function ChangedCalls({ calls }: { calls: ApiRulePreview["calls"] }) {
  return (
    <WideTable label="Calls that would be decided otherwise">
      <table>
        <thead>
          <tr>
            <th scope="col">Call</th>
            <th scope="col">Now</th>
            <th scope="col">Then</th>
            <th scope="col">Rule</th>
          </tr>
        </thead>
        <tbody>
          {calls.map((call) => (
            <tr key={`${call.run} ${call.seq}`}>
              <td>
                {call.session === null ? (
                  call.tool
                ) : (
                  <Link to={paths.run(call.session, call.run, call.seq)}>{call.tool}</Link>
                )}{" "}
                <code className="muted">{showHidden((JSON.stringify(call.input) ?? "").slice(0, 80))}</code>
              </td>
              <td>
                <Decision decision={call.before.decision} />
              </td>
              <td>
                <Decision decision={call.after.decision} />
              </td>
              <td className="muted id">
                <WrappingName text={showHidden(call.after.rule)} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </WideTable>
  );
}
