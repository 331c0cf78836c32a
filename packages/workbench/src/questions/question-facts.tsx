import { showHiddenInDocument } from "@bridle/protocol/text";
import { useEffect, useId, useRef, useState } from "react";
import { Link } from "wouter";
import { paths } from "../addresses/paths.ts";
import { WrappingName } from "../parts/wrapping-name.tsx";
import { TimeAgo } from "../text/time-ago.tsx";
import type { Question } from "./question-keys.ts";

interface QuestionFactsProps {
  readonly question: Question;
  readonly namesSession: boolean;
}

/**
 * How long a question has been waiting, the rule that requires it, and the reason. A long reason is cut off, so that the preview of the
 * change stays visible.
 */
export function QuestionFacts({ question, namesSession }: QuestionFactsProps) {
  const id = useId();
  const [isWhole, setWhole] = useState(false);
  const { element, isCut } = useCut(isWhole);
  const { session, since, rule, reason, agent, callers, alive } = question;
  return (
    <>
      <p className="muted">
        {namesSession && session !== null && (
          <>
            <Link to={paths.session(session)}>{session}</Link> ·{" "}
          </>
        )}
        <TimeAgo at={since} /> · asked by the rule{" "}
        <span className="id">
          <WrappingName text={showHiddenInDocument(rule)} />
        </span>
        {agent !== null && callers.length > 0 && (
          <>
            {" · asked by the agent "}
            <span className="id">{showHiddenInDocument(agent)}</span>
          </>
        )}
        {!alive && ` · its run has ended${describeLateAnswer(question)}`}
      </p>
      {reason !== null && (
        <div className="reason-place">
          <p id={id} className={isWhole ? "reason" : "reason cut-reason"} dir="auto" ref={element}>
            {showHiddenInDocument(reason)}
          </p>
          {(isCut || isWhole) && (
            <button type="button" aria-expanded={isWhole} aria-controls={id} onClick={() => setWhole(!isWhole)}>
              {isWhole ? "Less of the reason" : "… Whole reason"}
            </button>
          )}
        </div>
      )}
    </>
  );
}

function describeLateAnswer({ callers }: Pick<Question, "callers">): string {
  return callers.length === 0
    ? ", so the answer is stored for the next one"
    : " and is not continued, so an answer only closes the question";
}

/** Measures whether part of a string is cut off. While the whole text is shown, the last result is kept. */
function useCut(isWhole: boolean) {
  const element = useRef<HTMLParagraphElement>(null);
  const [isCut, setCut] = useState(false);
  useEffect(() => {
    const { current } = element;
    if (current === null || isWhole) return;
    const measure = () => setCut(current.scrollHeight > current.clientHeight + 1);
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, [isWhole]);
  return { element, isCut };
}
