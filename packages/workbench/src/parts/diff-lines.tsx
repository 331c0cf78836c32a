import { showHiddenInDocument } from "@bridle/protocol/text";

const kinds = { "+": "added", "-": "removed", "@": "place" } as const;

/** A difference between two texts, with a sign and a tint for each line. */
export function DiffLines({ text }: { text: string }) {
  return (
    <pre className="diff">
      {text.split("\n").map((line, index) => {
        const kind = kinds[line.charAt(0) as keyof typeof kinds] ?? "same"; // other first characters have no kind
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines never move
          <span key={index} className={`diff-${kind}`}>
            {`${showHiddenInDocument(line)}\n`}
          </span>
        );
      })}
    </pre>
  );
}
