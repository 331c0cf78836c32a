import { formatDuration, showHiddenInDocument } from "@bridle/protocol/text";
import { useId } from "react";
import { Link } from "wouter";
import { paths } from "../addresses/paths.ts";
import type { SessionEntry } from "../connection/session-entries.ts";
import { Mark, type MarkKind } from "../parts/mark.tsx";
import { WrappingName } from "../parts/wrapping-name.tsx";
import { AskedHere } from "./docked-question.tsx";
import { ForkButton } from "./fork-button.tsx";
import { shortArguments } from "./short-arguments.ts";
import { WholeText } from "./whole-text.tsx";

type ToolEntry = Extract<SessionEntry, { kind: "tool" }>;

const marks: Readonly<Record<ToolEntry["state"] | "cut off", MarkKind>> = {
  "cut off": "off",
  requested: "busy",
  running: "busy",
  waiting: "waiting",
  denied: "bad",
  failed: "bad",
  succeeded: "ok",
};

interface ToolCallProps {
  readonly session: string;
  readonly entry: ToolEntry;
  readonly isOpen: boolean;
  readonly canFork: boolean;
  /** Whether the call's run ended before the call did. */
  readonly isUnfinished: boolean;
  onOpen(isOpen: boolean): void;
}

/** A call on one line, which expands in place. */
export function ToolCall({ session, entry, isOpen, canFork, isUnfinished, onOpen }: ToolCallProps) {
  const id = useId();
  const { tool, input, durationMs, progress } = entry;
  const state = isUnfinished ? "cut off" : entry.state;
  return (
    <div className="call">
      <button
        type="button"
        className="call-line"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => onOpen(!isOpen)}
      >
        <Mark kind={marks[state]} label={state} />
        <span className="id call-tool">{showHiddenInDocument(tool)}</span>
        <span className="muted call-arguments">
          {isLeftOut(entry, "input") ? "a long input" : shortArguments(input)}
        </span>
        {progress.length > 0 && state === "running" && (
          <span className="muted cut">{showHiddenInDocument(progress.at(-1) ?? "")}</span>
        )}
        <span className="muted call-time">{durationMs === undefined ? state : formatDuration(durationMs)}</span>
      </button>
      <NestedRuns runs={entry.nested ?? []} />
      {(state === "waiting" || state === "running") && <AskedHere approvalId={entry.approvalId} />}
      <div id={id} hidden={!isOpen}>
        {isOpen && <CallDetails session={session} entry={entry} canFork={canFork} />}
      </div>
    </div>
  );
}

/** Links to the conversations of the agents that the call started. */
function NestedRuns({ runs }: { readonly runs: NonNullable<ToolEntry["nested"]> }) {
  return runs.map(({ runId, sessionId }) =>
    sessionId === undefined ? null : (
      <p key={runId} className="muted nested-run">
        <Link to={paths.session(sessionId)}>The agent’s own conversation</Link> ·{" "}
        <Link to={paths.run(sessionId, runId)}>Replay</Link>
      </p>
    ),
  );
}

/** Whether content was omitted because of its length, and is loaded on demand. */
function isLeftOut({ omitted = [] }: ToolEntry, name: string): boolean {
  return omitted.some(({ field }) => field === name);
}

function CallDetails({ session, entry, canFork }: Omit<ToolCallProps, "isOpen" | "isUnfinished" | "onOpen">) {
  const { input, edited, output, rule, artifact, runId, seq, step } = entry;
  return (
    <div className="call-details">
      <h4>Input</h4>
      {isLeftOut(entry, "input") ? (
        <p className="muted">It is long. The whole is below.</p>
      ) : (
        <pre>{showHiddenInDocument(JSON.stringify(input, null, 2) ?? "none")}</pre>
      )}
      {edited !== undefined && (
        <>
          <h4>Input that a person gave instead</h4>
          <pre>{showHiddenInDocument(JSON.stringify(edited, null, 2) ?? "none")}</pre>
        </>
      )}
      {output !== undefined && (
        <>
          <h4>What the model was told</h4>
          <pre>{showHiddenInDocument(output)}</pre>
        </>
      )}
      <WholeText session={session} omitted={entry.omitted ?? []} artifact={artifact} />
      <p className="muted">
        {rule !== undefined && (
          <>
            Decided by the rule{" "}
            <span className="id">
              <WrappingName text={showHiddenInDocument(rule)} />
            </span>{" "}
            ·{" "}
          </>
        )}
        <Link to={paths.run(session, runId, seq)}>Show in the replay</Link>
      </p>
      {canFork && output !== undefined && <ForkButton session={session} step={step} />}
    </div>
  );
}
