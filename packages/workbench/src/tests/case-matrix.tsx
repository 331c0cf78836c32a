import type { ApiTestRunOverview } from "@bridle/client";
import { formatCount, showHiddenInName } from "@bridle/protocol/text";
import { useState } from "react";
import { useCommands } from "../keys/keyboard.tsx";
import { useSearchPlace } from "../parts/use-search-place.ts";
import { type CaseFilter, caseFilters, countCases, filterCases, type TestedCase, toCaseFilter } from "./case-filter.ts";
import { CaseTrials } from "./case-trials.tsx";
import { OutcomeMark } from "./outcome-mark.tsx";

/** The number of rows to show at once. */
const rowsAtOnce = 100;

const keys: Readonly<Record<CaseFilter, string>> = { all: "a", failed: "f", flaky: "l", errored: "e" };

/** A table of cases by trials, with filters. The filter, the text and the open case are part of the URL. */
export function CaseMatrix({ run: { id, cases } }: { run: ApiTestRunOverview }) {
  const place = useSearchPlace();
  const [max, setMax] = useState(rowsAtOnce);
  const filter = toCaseFilter(place.get("filter") ?? null);
  const text = place.get("q") ?? "";
  const open = place.get("open");
  const choose = (each: CaseFilter) => place.set({ filter: each === "all" ? undefined : each });
  useCommands(
    caseFilters.map((each) => ({
      id: `cases-${each}`,
      title: `Show ${each} cases`,
      keys: keys[each],
      run: () => choose(each),
    })),
  );
  const found = filterCases(cases, filter, text);
  return (
    <section aria-label="Cases" className="cases">
      <div className="actions">
        {caseFilters.map((each) => (
          <button key={each} type="button" aria-pressed={each === filter} onClick={() => choose(each)}>
            {each} {formatCount(countCases(cases, each))} <kbd>{keys[each]}</kbd>
          </button>
        ))}
        <input
          aria-label="Text in the name"
          placeholder="Text in the name"
          type="search"
          value={text}
          onChange={(event) => place.set({ q: event.target.value })}
        />
      </div>
      {found.length === 0 && cases.length === 0 && <p className="muted">No trial has ended yet.</p>}
      {found.length === 0 && cases.length > 0 && (
        <p>
          No case fits.{" "}
          <button type="button" onClick={() => place.set({ filter: undefined, q: undefined })}>
            Show all
          </button>
        </p>
      )}
      <ul>
        {found.slice(0, max).map((tested) => (
          <CaseLine
            key={tested.name}
            run={id}
            tested={tested}
            isOpen={open === tested.name}
            onToggle={() => place.set({ open: open === tested.name ? undefined : tested.name })}
          />
        ))}
      </ul>
      {found.length > max && (
        <button type="button" onClick={() => setMax(max + rowsAtOnce)}>
          Show more of {formatCount(found.length)} cases
        </button>
      )}
    </section>
  );
}

interface CaseLineProps {
  /** The id of the test run. */
  readonly run: string;
  readonly tested: TestedCase;
  readonly isOpen: boolean;
  onToggle(): void;
}

function CaseLine({ run, tested, isOpen, onToggle }: CaseLineProps) {
  const { name, outcome, flaky, trials } = tested;
  return (
    <li className="case">
      <button type="button" className="quiet case-line" aria-expanded={isOpen} onClick={onToggle}>
        <OutcomeMark outcome={outcome} flaky={flaky} />
        <bdi className="case-name">{showHiddenInName(name)}</bdi>
        {flaky && <span className="muted">flaky</span>}
        <span className="case-trials">
          {trials.map((trial) => (
            <OutcomeMark key={trial.trial} outcome={trial.outcome} />
          ))}
        </span>
      </button>
      {isOpen && <CaseTrials run={run} tested={tested} />}
    </li>
  );
}
