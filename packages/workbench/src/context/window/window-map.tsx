import { formatCount } from "@bridle/protocol/text";
import { type KeyboardEvent, useLayoutEffect, useRef, useState } from "react";
import { formatWindowShare, type MapEntry, mapEntries, type PartGroup } from "./context-kinds.ts";
import { type Box, layOut, withLeastShare } from "./treemap.ts";

/** The height of the title above the boxes of a kind, if its name fits. */
const headHeight = 22;
/** The minimum height of a kind's box, so that the box can be seen and clicked. The box's title contains the exact share. */
const minSide = 28;

interface WindowMapProps {
  readonly groups: readonly PartGroup[];
  /** The number of characters in the whole window. */
  readonly total: number;
  readonly chosen: number | undefined;
  onChoose(part: number): void;
  onKind(kind: PartGroup["kind"]): void;
}

/**
 * The parts of the window as boxes. Above a minimum size, a box grows with its number of characters. The table next to the map shows the
 * same data as text.
 */
export function WindowMap({ groups, total, chosen, onChoose, onKind }: WindowMapProps) {
  const element = useRef<HTMLFieldSetElement>(null);
  const { width, height } = useSizeOf(element);
  const shown = groups.filter(({ characters }) => characters > 0);
  const weights = shown.map(({ characters }) => characters);
  const min = minSide / Math.max(1, width, height);
  const boxes = layOut(withLeastShare(weights, min), { x: 0, y: 0, width, height });
  return (
    <fieldset className="window-map" ref={element} onKeyDown={moveFocus}>
      <legend className="hidden-text">Map of the window. Arrow keys move between its boxes.</legend>
      {shown.map((group, index) => {
        const box = boxes[index];
        return (
          box && (
            <KindBoxes
              key={group.kind}
              isFirst={index === 0}
              group={group}
              box={box}
              total={total}
              chosen={chosen}
              onChoose={onChoose}
              onKind={onKind}
            />
          )
        );
      })}
    </fieldset>
  );
}

interface KindBoxesProps extends Omit<WindowMapProps, "groups"> {
  readonly group: PartGroup;
  readonly box: Box;
  readonly isFirst: boolean;
}

function KindBoxes({ group, box, total, chosen, onChoose, onKind, isFirst }: KindBoxesProps) {
  const hasHead = box.width > 72 && box.height > headHeight + 24;
  const inner = hasHead ? { ...box, y: box.y + headHeight, height: box.height - headHeight } : box;
  const entries = mapEntries(group, total);
  const places = layOut(
    entries.map(({ characters }) => characters),
    inner,
  );
  return (
    <>
      {hasHead && (
        <span className="map-head cut" style={positionOf({ ...box, height: headHeight })}>
          {group.title} {formatWindowShare(group, total)}
        </span>
      )}
      {entries.map((entry, index) => {
        const { part } = entry;
        return (
          <MapBox
            key={part?.index ?? "small"}
            entry={entry}
            total={total}
            kind={group}
            box={places[index] ?? inner}
            isChosen={part !== undefined && part.index === chosen}
            isTabStop={isFirst && index === 0}
            onChoose={() => (part === undefined ? onKind(group.kind) : onChoose(part.index))}
          />
        );
      })}
    </>
  );
}

interface MapBoxProps {
  readonly entry: MapEntry;
  readonly kind: PartGroup;
  readonly box: Box;
  readonly total: number;
  readonly isChosen: boolean;
  readonly isTabStop: boolean;
  onChoose(): void;
}

function MapBox({ entry, kind, box, total, isChosen, isTabStop, onChoose }: MapBoxProps) {
  const { label, tokens } = entry;
  const words = `${kind.title}: ${label}, ${formatCount(tokens)} tokens, ${formatWindowShare(entry, total)}`;
  const hasRoom = box.width > 56 && box.height > 24;
  return (
    <button
      type="button"
      className={`map-box context-${kind.kind} ${hasRoom ? "named" : ""}`}
      aria-pressed={isChosen}
      title={words}
      tabIndex={isTabStop ? 0 : -1}
      style={positionOf(box)}
      onClick={onChoose}
    >
      <span className="hidden-text">{words}</span>
      {hasRoom && (
        <span className="cut" aria-hidden="true">
          <bdi>{label}</bdi>
        </span>
      )}
      {hasRoom && box.height > 44 && (
        <span className="map-tokens" aria-hidden="true">
          {formatCount(tokens)}
        </span>
      )}
    </button>
  );
}

function positionOf({ x, y, width, height }: Box) {
  return { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` };
}

const steps: Readonly<Record<string, 1 | -1>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/** Moves the focus. Tab reaches the map once; arrow keys move between the boxes, the largest first. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = steps[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const boxes = [...event.currentTarget.querySelectorAll<HTMLButtonElement>("button.map-box")];
  const at = boxes.findIndex((box) => box.matches(":focus"));
  boxes[Math.max(0, Math.min(boxes.length - 1, at + step))]?.focus();
}

function useSizeOf(element: { readonly current: HTMLElement | null }) {
  const [size, setSize] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return;
    const measure = () => setSize({ width: current.clientWidth, height: current.clientHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, [element]);
  return size;
}
