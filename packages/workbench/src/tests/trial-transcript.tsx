import type { ApiTestCase } from "@bridle/client";
import { showHidden, showHiddenInDocument } from "@bridle/protocol/text";
import { shortArguments } from "../conversation/short-arguments.ts";
import { Mark } from "../parts/mark.tsx";
import { Markdown } from "../text/markdown.tsx";

type TestedTrial = ApiTestCase["trials"][number];
type Entry = TestedTrial["turns"][number]["transcript"][number];

/** The messages and tool calls of a trial. */
export function TrialTranscript({ trial: { turns } }: { trial: TestedTrial }) {
  return (
    <ol className="trial-transcript">
      {turns
        .flatMap(({ transcript }) => transcript)
        .map((entry, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: entries never move
          <li key={at} className={`trial-${entry.kind}`}>
            <TrialEntry entry={entry} />
          </li>
        ))}
    </ol>
  );
}

function TrialEntry({ entry }: { entry: Entry }) {
  if (entry.kind === "call") return <TrialCall call={entry} />;
  if (entry.kind === "text") return <Markdown text={entry.text} />;
  const text = showHiddenInDocument(entry.text);
  if (entry.kind === "user") return <p className="plain">{text}</p>;
  return (
    <details>
      <summary>Reasoning</summary>
      <p className="plain">{text}</p>
    </details>
  );
}

function TrialCall({ call: { tool, input, state, output } }: { call: Extract<Entry, { kind: "call" }> }) {
  return (
    <details>
      <summary>
        <Mark kind={state === "succeeded" ? "ok" : "bad"} label={state} /> <code>{showHidden(tool, "")}</code>{" "}
        <span className="muted id">{shortArguments(input)}</span>
      </summary>
      <pre>{showHiddenInDocument(JSON.stringify(input, undefined, 2) ?? "")}</pre>
      {output !== null && <pre>{showHiddenInDocument(output)}</pre>}
    </details>
  );
}
