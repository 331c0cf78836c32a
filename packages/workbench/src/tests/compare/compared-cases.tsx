import { type ApiComparison, BridleRequestError } from "@bridle/client";
import { showHiddenInName } from "@bridle/protocol/text";
import { useQuery } from "@tanstack/react-query";
import { useServer } from "../../connection/server.tsx";
import { Loading, Problem } from "../../parts/states.tsx";
import { useSearchPlace } from "../../parts/use-search-place.ts";
import { OutcomeMark } from "../outcome-mark.tsx";
import { TrialTranscript } from "../trial-transcript.tsx";
import { sortByChange } from "./compared-order.ts";

type ComparedCase = ApiComparison["cases"][number];

/** The cases of two test runs, the changed ones first. An open case shows both transcripts side by side. */
export function ComparedCases({ comparison }: { comparison: ApiComparison }) {
  const place = useSearchPlace();
  const open = place.get("open");
  const toggle = (name: string) => place.set({ open: open === name ? undefined : name });
  return (
    <section aria-label="Cases">
      <h2>Cases</h2>
      <ul>
        {sortByChange(comparison.cases).map((compared) => (
          <li key={compared.name} className="case">
            <button
              type="button"
              className="quiet case-line"
              aria-expanded={open === compared.name}
              onClick={() => toggle(compared.name)}
            >
              <Outcomes compared={compared} />
              <bdi className="case-name">{showHiddenInName(compared.name)}</bdi>
              <span className="muted">{compared.change.replace("-", " ")}</span>
            </button>
            {open === compared.name && <SideBySide comparison={comparison} name={compared.name} />}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Outcomes({ compared: { before, after } }: { compared: ComparedCase }) {
  return (
    <span>
      <OutcomeMark outcome={before ?? "not-run"} /> → <OutcomeMark outcome={after ?? "not-run"} />
    </span>
  );
}

function SideBySide({ comparison: { before, after, cases }, name }: { comparison: ApiComparison; name: string }) {
  const transcript = cases.find((compared) => compared.name === name)?.transcript;
  return (
    <div className="side-by-side">
      <Side title="Before" run={before.id} name={name} trial={transcript?.beforeTrial} />
      <Side title="After" run={after.id} name={name} trial={transcript?.afterTrial} />
    </div>
  );
}

interface SideProps {
  readonly title: string;
  readonly run: string;
  readonly name: string;
  /** The trial that the comparison chose. Default: the first trial. */
  readonly trial: number | undefined;
}

function Side({ title, run, name, trial }: SideProps) {
  const { client } = useServer();
  const { data, error } = useQuery({
    queryKey: ["tests", "case", run, name],
    queryFn: () => client.testCase(run, name),
    retry: (_count, problem) => !isMissing(problem),
  });
  if (isMissing(error)) return <DidNotRun title={title} />;
  if (error) return <Problem error={error} />;
  if (data === undefined) return <Loading what="the transcript" />;
  const { trials } = data;
  const shown = trials.find((each) => each.trial === trial) ?? trials[0];
  return (
    <section aria-label={title}>
      <h3>
        {title}
        {shown && `, trial ${shown.trial}`}
      </h3>
      {shown ? <TrialTranscript trial={shown} /> : <p className="muted">It did not run.</p>}
    </section>
  );
}

/** Whether the case is missing in the run. */
function isMissing(error: unknown): boolean {
  return error instanceof BridleRequestError && error.code === "no-such-case";
}

function DidNotRun({ title }: { title: string }) {
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <p className="muted">It did not run.</p>
    </section>
  );
}
