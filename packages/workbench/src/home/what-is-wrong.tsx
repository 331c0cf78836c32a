import { counted } from "@bridle/protocol/text";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { paths } from "../addresses/paths.ts";
import { useServer } from "../connection/server.tsx";

/**
 * The failing checks, so that users see them before they start a session. A rehearsal needs no credentials, so only a note about the script
 * is shown then.
 */
export function WhatIsWrong() {
  const { isRehearsed } = useFailing();
  if (isRehearsed)
    return <p>A script answers in place of the model of every agent, so talking and tests cost nothing.</p>;
  return isRehearsed === false && <Needs />;
}

/** The line with the checks. It always takes one line, because the checks take seconds and the cards below must not move. */
function Needs() {
  const { failing, leftOut, isChecked, isUnknown } = useFailing();
  if (isUnknown) {
    return (
      <p className="needs muted" role="status">
        What a run needs could not be checked. <Link to={paths.status}>See the status</Link>
      </p>
    );
  }
  if (failing.length === 0) {
    return (
      <p className="needs muted" role="status">
        {isChecked ? "No check of the requirements of a run fails." : "Checking the requirements of a run …"}
        {leftOut.length > 0 && (
          <>
            {" "}
            {counted(leftOut.length, "check")} {leftOut.length === 1 ? "was" : "were"} left out:{" "}
            <Link to={paths.status}>see the status</Link>
          </>
        )}
      </p>
    );
  }
  return (
    <details className="needs note">
      <summary>
        {counted(failing.length, "check")} {failing.length === 1 ? "fails" : "fail"}: see what to do
      </summary>
      <FailingChecks />
    </details>
  );
}

/**
 * The failing checks that matter only for real models, folded. The checks finish late, so the list is placed where it does not shift the
 * layout.
 */
export function WrongForModels() {
  const { failing, isRehearsed } = useFailing();
  if (!isRehearsed || failing.length === 0) return null;
  return (
    <details>
      <summary className="muted">
        {counted(failing.length, "check")} {failing.length === 1 ? "fails" : "fail"}. A model may need the missing
        parts, but the script does not.
      </summary>
      <FailingChecks />
    </details>
  );
}

function FailingChecks() {
  const { failing } = useFailing();
  if (failing.length === 0) return null;
  return (
    <ul className="plain-list">
      {failing.map(({ id, title, detail, remedy }) => (
        <li key={id} className="note">
          {title}: {detail} {remedy} <Link to={paths.status}>All checks</Link>
        </li>
      ))}
    </ul>
  );
}

function useFailing() {
  const { client } = useServer();
  const { data, isError } = useQuery({ queryKey: ["doctor"], queryFn: () => client.doctor(), staleTime: 60_000 });
  const status = useQuery({ queryKey: ["status"], queryFn: () => client.status() });
  return {
    isChecked: data !== undefined,
    /** Whether the checks failed to run. */
    isUnknown: isError && data === undefined,
    failing: data?.checks.filter(({ ok }) => ok === false) ?? [],
    leftOut: data?.checks.filter(({ ok }) => ok === "skipped") ?? [],
    /** Whether a script replaces the models. Undefined until the status is known. */
    isRehearsed: status.data?.rehearsed,
  };
}
