import type { RunReplay } from "@bridle/client";
import { showHiddenInDocument } from "@bridle/protocol/text";
import { Mark, type MarkKind } from "../parts/mark.tsx";
import { type ReplayPlace, replayPlaces } from "./replay-places.ts";

interface ReplayStepsProps {
  readonly replay: RunReplay;
  readonly at: number;
  onShow(seq: number): void;
}

/** The list of what happened. */
export function ReplaySteps({ replay, at, onShow }: ReplayStepsProps) {
  const places = replayPlaces(replay);
  const current = places.findLast(({ seq }) => seq <= at);
  return (
    <nav className="replay-steps" aria-label="Steps of the run">
      <ol>
        {places.map((place) => (
          <li key={`${place.seq} ${place.kind}`}>
            <button
              type="button"
              className="quiet"
              aria-current={place === current ? "step" : undefined}
              onClick={() => onShow(place.seq)}
              ref={(row) => {
                if (place === current) row?.scrollIntoView({ block: "nearest" });
              }}
            >
              <span className="muted number">{place.seq}</span>
              {place.kind === "decision" && <Mark {...markOf(place)} />}
              <span className="cut">{showHiddenInDocument(place.title)}</span>
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}

function markOf({ title }: ReplayPlace): { kind: MarkKind; label: string } {
  if (title.startsWith("allow")) return { kind: "ok", label: "allowed" };
  return title.startsWith("ask") ? { kind: "waiting", label: "asked" } : { kind: "bad", label: "denied" };
}
