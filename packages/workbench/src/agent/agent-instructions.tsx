import type { ApiAgent } from "@bridle/client";
import { formatCount, showHiddenInDocument } from "@bridle/protocol/text";
import { useState } from "react";

type Instructions = NonNullable<ApiAgent["details"]>["instructions"];

/** Instructions up to this many characters are shown in full. */
const shortest = 1500;
/** The maximum number of characters of the folded beginning, because the beginning may be a single line. */
const maxBeginningLength = 600;

/** The instructions that the agent gets before each conversation. Long instructions are folded. */
export function AgentInstructions({ instructions }: { instructions: Instructions }) {
  const { text, firstLines, characters } = instructions;
  const [isWhole, setWhole] = useState(false);
  const beginning = firstLines.join("\n").slice(0, maxBeginningLength);
  const isLong = text !== null && text.length > shortest && text.length > beginning.length + 1;
  return (
    <section aria-label="Instructions">
      <h2>Instructions</h2>
      {text === null ? (
        <p className="muted">They are a file of a folder that is not trusted, so they are not shown.</p>
      ) : (
        <pre className="instructions" dir="auto">
          {showHiddenInDocument(isWhole || !isLong ? text : beginning)}
        </pre>
      )}
      {isLong && (
        <button type="button" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? "Show the beginning" : `Show all ${formatCount(characters)} characters`}
        </button>
      )}
    </section>
  );
}
