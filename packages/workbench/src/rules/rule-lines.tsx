import { useId } from "react";
import { GrowingField } from "../parts/growing-field.tsx";
import { decisions, type EditedLine, problemOf } from "./edited-rules.ts";

interface RuleLinesProps {
  readonly lines: readonly EditedLine[];
  onChange(lines: readonly EditedLine[]): void;
}

/** The rules of the file, in order. */
export function RuleLines({ lines, onChange }: RuleLinesProps) {
  const replace = (at: number, line: EditedLine) => onChange(lines.with(at, line));
  const move = (at: number, by: -1 | 1) => {
    const line = lines[at];
    if (line) onChange(lines.toSpliced(at, 1).toSpliced(at + by, 0, line));
  };
  const nextKey = Math.max(-1, ...lines.map(({ key }) => key)) + 1;
  return (
    <fieldset className="rule-lines">
      <legend>Rules, the first that fits decides</legend>
      {lines.map((line, at) => (
        <RuleLineForm
          key={line.key}
          line={line}
          place={at + 1}
          onChange={(changed) => replace(at, changed)}
          onRemove={() => onChange(lines.toSpliced(at, 1))}
          onUp={at === 0 ? undefined : () => move(at, -1)}
          onDown={at === lines.length - 1 ? undefined : () => move(at, 1)}
        />
      ))}
      <button type="button" onClick={() => onChange([...lines, { key: nextKey, tool: "", when: "", then: "ask" }])}>
        Add a rule
      </button>
    </fieldset>
  );
}

interface RuleLineFormProps {
  readonly line: EditedLine;
  readonly place: number;
  onChange(line: EditedLine): void;
  onRemove(): void;
  onUp: (() => void) | undefined;
  onDown: (() => void) | undefined;
}

function RuleLineForm({ line, place, onChange, onRemove, onUp, onDown }: RuleLineFormProps) {
  const id = useId();
  const problem = problemOf(line);
  const isNamed = line.tool.trim() !== "";
  return (
    // biome-ignore lint/a11y/useSemanticElements: screen readers would announce a nested fieldset twice
    <div className="rule-line" role="group" aria-label={`Rule ${place}`}>
      <label htmlFor={`${id}tool`}>Tool</label>
      <GrowingField
        id={`${id}tool`}
        className="rule-tool"
        isOneLine={true}
        value={line.tool}
        placeholder="such as refund"
        aria-invalid={!isNamed}
        aria-describedby={isNamed ? undefined : `${id}problem`}
        onChange={(tool) => onChange({ ...line, tool })}
      />
      <label htmlFor={`${id}when`}>If its input has</label>
      <GrowingField
        id={`${id}when`}
        className="rule-when"
        value={line.when}
        placeholder="field: pattern"
        aria-invalid={isNamed && problem !== undefined}
        aria-describedby={isNamed && problem ? `${id}problem` : undefined}
        onChange={(when) => onChange({ ...line, when })}
      />
      <label htmlFor={`${id}then`}>Then</label>
      <select
        id={`${id}then`}
        value={line.then}
        onChange={(event) =>
          onChange({ ...line, then: decisions.find((each) => each === event.target.value) ?? "ask" })
        }
      >
        {decisions.map((decision) => (
          <option key={decision}>{decision}</option>
        ))}
      </select>
      <span className="rule-line-actions">
        <button type="button" className="quiet" disabled={!onUp} onClick={onUp} aria-label={`Move rule ${place} up`}>
          ↑
        </button>
        <button
          type="button"
          className="quiet"
          disabled={!onDown}
          onClick={onDown}
          aria-label={`Move rule ${place} down`}
        >
          ↓
        </button>
        <button type="button" className="quiet" onClick={onRemove}>
          Remove
        </button>
      </span>
      {problem !== undefined && (
        <p id={`${id}problem`} className="line-problem">
          {problem}
        </p>
      )}
    </div>
  );
}
