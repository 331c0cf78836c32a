import type { RunReplay } from "@bridle/client";
import { useEffect, useRef, useState } from "react";
import { useCommands } from "../keys/keyboard.tsx";
import { neighbour, replayPlaces } from "./replay-places.ts";

interface ScrubberProps {
  readonly replay: RunReplay;
  readonly at: number;
  onChange(seq: number): void;
}

/** How many milliseconds each event takes during playback, by speed. */
const speeds = { "×1": 250, "×4": 62, "×∞": 16 } as const;
const speedNames = ["×1", "×4", "×∞"] as const;

/** Lets the user move through the events of a run, and play the run. */
export function Scrubber({ replay, at, onChange }: ScrubberProps) {
  const { firstSeq, lastSeq } = replay;
  const [speed, setSpeed] = useState<keyof typeof speeds>();
  const places = replayPlaces(replay);
  const next = useRef(() => {});
  next.current = () => {
    if (at >= lastSeq) return setSpeed(undefined);
    if (replay.at !== at) return; // not loaded yet: a slow server delays the playback, so that requests do not pile up
    onChange(speed === "×∞" ? (neighbour(places, at, 1) ?? lastSeq) : at + 1);
  };
  useEffect(() => {
    if (speed === undefined) return;
    const timer = setInterval(() => next.current(), speeds[speed]);
    return () => clearInterval(timer);
  }, [speed]);
  const go = (seq: number | undefined) => seq !== undefined && onChange(seq);
  const play = (chosen: keyof typeof speeds) => {
    if (at >= lastSeq) onChange(firstSeq);
    setSpeed(speed === chosen ? undefined : chosen);
  };
  useCommands([
    { id: "replay-next", title: "Next step", keys: "]", run: () => go(neighbour(places, at, 1)) },
    { id: "replay-previous", title: "Previous step", keys: "[", run: () => go(neighbour(places, at, -1)) },
    { id: "replay-play", title: "Play or pause", keys: "Space", run: () => play(speed ?? "×1") },
  ]);
  return (
    <div className="scrubber">
      <button type="button" onClick={() => go(neighbour(places, at, -1))} aria-label="Previous step">
        [
      </button>
      <input
        type="range"
        aria-label="Event of the run"
        aria-valuetext={`event ${at} of ${lastSeq}`}
        min={firstSeq}
        max={lastSeq}
        value={at}
        onChange={(event) => onChange(Number(event.target.value))}
      />
      <button type="button" onClick={() => go(neighbour(places, at, 1))} aria-label="Next step">
        ]
      </button>
      <span className="scrubber-place">
        {at} of {lastSeq}
      </span>
      {speedNames.map((each) => (
        <button key={each} type="button" aria-pressed={speed === each} onClick={() => play(each)}>
          {speed === each ? "Pause" : `Play ${each}`}
        </button>
      ))}
      <button type="button" onClick={() => onChange(lastSeq)}>
        End
      </button>
    </div>
  );
}
