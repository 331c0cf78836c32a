import { showHiddenInDocument } from "@bridle/protocol/text";
import type { TurnPlace } from "./steps.ts";

/** The message that the first visible entry answers, while the message itself is above the viewport. */
export function TurnHead({ head, onShow }: { head: TurnPlace | undefined; onShow(index: number): void }) {
  if (head === undefined) return null;
  return (
    <div className="turn-place">
      <button type="button" className="turn-head" onClick={() => onShow(head.index)}>
        <span className="hidden-text">Go to the message: </span>
        <span className="cut" dir="auto">
          {showHiddenInDocument(head.words.slice(0, 300).replace(/\s+/g, " "))}
        </span>
        {head.step !== undefined && <span className="muted turn-step">step {head.step}</span>}
      </button>
    </div>
  );
}
