import type { RunReplay } from "@bridle/client";
import { showHiddenInDocument } from "@bridle/protocol/text";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useMemo, useRef } from "react";
import { Mark, type MarkKind } from "../parts/mark.tsx";
import { type ReplayPlace, replayPlaces } from "./replay-places.ts";

interface ReplayStepsProps {
  readonly replay: RunReplay;
  readonly at: number;
  onShow(seq: number): void;
}

/** The list of events. Only rows near the viewport are rendered. */
export function ReplaySteps({ replay: { inputs, steps, decisions }, at, onShow }: ReplayStepsProps) {
  const places = useMemo(() => replayPlaces({ inputs, steps, decisions }), [inputs, steps, decisions]);
  const current = places.findLastIndex(({ seq }) => seq <= at);
  const scroller = useRef<HTMLElement>(null);
  const list = useVirtualizer({
    count: places.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: 10,
  });
  const { scrollToIndex } = list;
  useEffect(() => {
    if (current >= 0) scrollToIndex(current, { align: "auto" });
  }, [current, scrollToIndex]);
  return (
    <nav className="replay-steps" aria-label="Steps of the run" ref={scroller}>
      <ol className="replay-rows" style={{ height: list.getTotalSize() }}>
        {list.getVirtualItems().map(({ index, start }) => {
          const place = places[index];
          if (place === undefined) return null;
          return (
            <li
              key={index}
              ref={list.measureElement}
              data-index={index}
              aria-setsize={places.length}
              aria-posinset={index + 1}
              style={{ transform: `translateY(${start}px)` }}
            >
              <Step place={place} isCurrent={index === current} onShow={onShow} />
            </li>
          );
        })}
      </ol>
    </nav>
  );
}

/** The height of a row in pixels if the device has a mouse. Other heights are measured. */
const rowPx = 28;

interface StepProps {
  readonly place: ReplayPlace;
  readonly isCurrent: boolean;
  onShow(seq: number): void;
}

function Step({ place, isCurrent, onShow }: StepProps) {
  return (
    <button
      type="button"
      className="quiet"
      aria-current={isCurrent ? "step" : undefined}
      onClick={() => onShow(place.seq)}
    >
      <span className="muted number">{place.seq}</span>
      {place.kind === "decision" && <Mark {...markOf(place)} />}
      <span className="cut">{showHiddenInDocument(place.title)}</span>
    </button>
  );
}

function markOf({ title }: ReplayPlace): { kind: MarkKind; label: string } {
  if (title.startsWith("allow")) return { kind: "ok", label: "allowed" };
  return title.startsWith("ask") ? { kind: "waiting", label: "asked" } : { kind: "bad", label: "denied" };
}
