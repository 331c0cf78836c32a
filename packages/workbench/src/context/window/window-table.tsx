import { formatCount } from "@bridle/protocol/text";
import { useState } from "react";
import { useInSight } from "../../parts/use-in-sight.ts";
import { formatWindowShare, labelOf, type PartGroup, type PartKind, type PlacedPart } from "./context-kinds.ts";

const rowsAtOnce = 60;

interface WindowTableProps {
  readonly groups: readonly PartGroup[];
  /** The number of characters in the whole window. */
  readonly total: number;
  /** The kind of the listed parts. If missing, all kinds are listed. */
  readonly kind: PartKind | undefined;
  readonly chosen: number | undefined;
  onKind(kind: PartKind | undefined): void;
  onChoose(part: number): void;
}

/** The data of the map as a table: the kinds, and the parts of all kinds or of one kind, the largest first. */
export function WindowTable({ groups, total, kind, chosen, onKind, onChoose }: WindowTableProps) {
  const parts = groups.filter((group) => kind === undefined || group.kind === kind).flatMap((group) => group.parts);
  const sorted = parts.toSorted((a, b) => b.characters - a.characters || a.index - b.index);
  const [max, setMax] = useState(rowsAtOnce);
  const at = sorted.findIndex(({ index }) => index === chosen);
  const shown = sorted.slice(0, Math.max(max, at + 1));
  return (
    <div className="window-table">
      <div className="actions">
        <button type="button" aria-pressed={kind === undefined} onClick={() => onKind(undefined)}>
          All {formatCount(groups.reduce((sum, { tokens }) => sum + tokens, 0))}
        </button>
        {groups.map((group) => (
          <button
            key={group.kind}
            type="button"
            className={`context-${group.kind}`}
            aria-pressed={kind === group.kind}
            onClick={() => onKind(kind === group.kind ? undefined : group.kind)}
          >
            {group.title} {formatCount(group.tokens)}
          </button>
        ))}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll a wide table */}
      <div className="table-scroll" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">Part</th>
              <th scope="col" className="number">
                Tokens, about
              </th>
              <th scope="col" className="number">
                Share
              </th>
              <th scope="col" className="number">
                Characters
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map((part) => (
              <PartRow
                key={part.index}
                part={part}
                total={total}
                isChosen={part.index === chosen}
                onChoose={onChoose}
              />
            ))}
          </tbody>
        </table>
      </div>
      {sorted.length > shown.length && (
        <button type="button" onClick={() => setMax(shown.length + rowsAtOnce * 5)}>
          Show more of {formatCount(sorted.length)} parts
        </button>
      )}
    </div>
  );
}

interface PartRowProps {
  readonly part: PlacedPart;
  readonly total: number;
  readonly isChosen: boolean;
  onChoose(part: number): void;
}

function PartRow({ part, total, isChosen, onChoose }: PartRowProps) {
  const { index, kind, tokens, characters } = part;
  const row = useInSight<HTMLTableRowElement>(isChosen);
  return (
    <tr className={isChosen ? "chosen" : ""} aria-current={isChosen} ref={row}>
      <td>
        <button type="button" className="quiet part-button" onClick={() => onChoose(index)}>
          <span className={`swatch context-${kind}`} />
          <bdi>{labelOf(part)}</bdi>
          {part.name !== null && <span className="muted">{kind}</span>}
        </button>
      </td>
      <td className="number">{tokens === 0 && characters > 0 ? "under 1" : formatCount(tokens)}</td>
      <td className="number">{total === 0 ? "" : formatWindowShare(part, total)}</td>
      <td className="number">{formatCount(characters)}</td>
    </tr>
  );
}
