import { counted, showHiddenInDocument } from "@bridle/protocol/text";
import { useState } from "react";
import { ScrollingText } from "./scrolling-text.tsx";

const kinds = { "+": "added", "-": "removed", "@": "place" } as const;

/** The number of lines to show at first. Each line is an element, and tens of thousands of them would slow down the page. */
const shownLines = 1000;

function kindOf(line: string, index: number): string {
  if (index < 2 && /^(?:---|\+\+\+) /.test(line)) return "place"; // the names of the files
  return kinds[line.charAt(0) as keyof typeof kinds] ?? "same"; // lines that begin with other characters have no kind
}

/** A diff of two strings, with a sign and a colour for each line. */
export function DiffLines({ text }: { text: string }) {
  const [isWhole, setWhole] = useState(false);
  const lines = text.split("\n");
  const left = isWhole ? 0 : Math.max(0, lines.length - shownLines);
  return (
    <>
      <ScrollingText className="diff" label="Changes">
        {lines.slice(0, lines.length - left).map((line, index) => {
          const kind = kindOf(line, index);
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines never move
            <span key={index} className={`diff-${kind}`}>
              {`${showHiddenInDocument(line)}\n`}
            </span>
          );
        })}
      </ScrollingText>
      {left > 0 && (
        <button type="button" onClick={() => setWhole(true)}>
          Show {counted(left, "more line")}
        </button>
      )}
    </>
  );
}
