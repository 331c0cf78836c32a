import { showHiddenInName } from "@bridle/protocol/text";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import { paths } from "../addresses/paths.ts";
import { useCommands } from "../keys/keyboard.tsx";
import { WideTable } from "../parts/wide-table.tsx";
import { TimeAgo } from "../text/time-ago.tsx";
import { buildHistory, type HistoryRow, type ListedTestRun } from "./history-grid.ts";
import { OutcomeMark } from "./outcome-mark.tsx";

/** The number of rows to show at once. */
const rowsAtOnce = 200;

/** A table of cases by test runs, the newest on the left. */
export function HistoryTable({ runs }: { runs: readonly ListedTestRun[] }) {
  const [, go] = useLocation();
  const [max, setMax] = useState(rowsAtOnce);
  const [chosen, setChosen] = useState<readonly string[]>(() => runs.slice(0, 2).map(({ id }) => id));
  const rows = buildHistory(runs);
  // Ids begin with the time, so the smaller id is the earlier run.
  const [before, after] = chosen.toSorted();
  const canCompare = chosen.length === 2 && before !== undefined && after !== undefined;
  const compare = () => canCompare && go(paths.compare(before, after));
  useCommands([{ id: "tests-compare", title: "Compare the chosen test runs", keys: "c", run: compare }]);
  return (
    <>
      <div className="actions">
        <button type="button" disabled={!canCompare} onClick={compare}>
          Compare the chosen two <kbd>c</kbd>
        </button>
      </div>
      <WideTable label="History of the tests">
        <table className="history">
          <thead>
            <tr>
              <th scope="col">Case</th>
              {runs.map((run) => (
                <RunHead
                  key={run.id}
                  run={run}
                  isChosen={chosen.includes(run.id)}
                  onChoose={(isChosen) =>
                    setChosen(isChosen ? [...chosen, run.id].slice(-2) : chosen.filter((id) => id !== run.id))
                  }
                />
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, max).map((row) => (
              <CaseRow key={row.name} row={row} runs={runs} />
            ))}
          </tbody>
        </table>
      </WideTable>
      {rows.length > max && (
        <button type="button" onClick={() => setMax(max + rowsAtOnce)}>
          Show more of {rows.length} cases
        </button>
      )}
    </>
  );
}

interface RunHeadProps {
  readonly run: ListedTestRun;
  readonly isChosen: boolean;
  onChoose(isChosen: boolean): void;
}

function RunHead({ run, isChosen, onChoose }: RunHeadProps) {
  const { id, state, startedAt, passed, failed, errored, notRun, rehearsal } = run;
  return (
    <th scope="col" className="history-run" title={`${id}, ${state}${rehearsal === null ? "" : ", rehearsed"}`}>
      <label className="history-choice">
        <input
          type="checkbox"
          aria-label={`Compare ${id}`}
          checked={isChosen}
          onChange={({ target }) => onChoose(target.checked)}
        />
      </label>
      <Link to={paths.testRun(id)} className="history-link">
        {passed}/{passed + failed + errored + notRun}
      </Link>
      <span className="muted">{state === "running" ? "running" : <TimeAgo at={startedAt} />}</span>
      <span className="muted">{rehearsal === null ? "real model" : "rehearsed"}</span>
    </th>
  );
}

function CaseRow({ row: { name, cells }, runs }: { row: HistoryRow; runs: readonly ListedTestRun[] }) {
  return (
    <tr>
      <th scope="row" title={showHiddenInName(name)}>
        <bdi className="history-case">{showHiddenInName(name)}</bdi>
      </th>
      {cells.map((cell, at) => (
        <td key={runs[at]?.id} className={cell && `outcome-${cell.outcome}`}>
          {cell && <OutcomeMark outcome={cell.outcome} flaky={cell.flaky} />}
          {cell?.flaky && <span title="flaky">~</span>}
        </td>
      ))}
    </tr>
  );
}
