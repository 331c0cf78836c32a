import { useId } from "react";
import { GrowingField } from "../parts/growing-field.tsx";
import { annotationNames, annotationWords, type Decided, decisions, modes, type ProjectRules } from "./edited-rules.ts";

interface RulesSettingsProps {
  readonly settings: ProjectRules;
  /** Whether the project has neither settings nor rules. */
  readonly isNone: boolean;
  onChange(settings: ProjectRules): void;
}

const defaultMode = modes.find(([mode]) => mode === "normal")?.join(": ");

/** The mode, the disabled tools, and the decisions by tool annotations. */
export function RulesSettings({ settings, isNone, onChange }: RulesSettingsProps) {
  const id = useId();
  const { annotations = {} } = settings;
  const isListed = settings.mode === undefined || modes.some(([mode]) => mode === settings.mode);
  return (
    <div className="rules-settings">
      <label htmlFor={`${id}mode`}>Mode</label>
      <select
        id={`${id}mode`}
        value={settings.mode ?? ""}
        onChange={({ target: { value } }) => {
          const { mode: _before, ...rest } = settings;
          const chosen = modes.find(([mode]) => mode === value)?.[0];
          onChange(chosen === undefined ? rest : { ...rest, mode: chosen });
        }}
      >
        <option value="">
          {isNone ? "none: every tool of an agent may be called" : `the default, ${defaultMode}`}
        </option>
        {!isListed && <option value={settings.mode}>{settings.mode}</option>}
        {modes.map(([mode, meaning]) => (
          <option key={mode} value={mode}>
            {mode}: {meaning}
          </option>
        ))}
      </select>
      {annotationNames.map((name) => (
        <DecisionChoice
          key={name}
          label={annotationWords[name]}
          value={annotations[name]}
          onChange={(decision) => {
            const { [name]: _before, ...rest } = annotations;
            const changed = decision === undefined ? rest : { ...rest, [name]: decision };
            const { annotations: _all, ...others } = settings;
            onChange(Object.keys(changed).length === 0 ? others : { ...others, annotations: changed });
          }}
        />
      ))}
      <label htmlFor={`${id}disable`}>Switched off</label>
      <GrowingField
        id={`${id}disable`}
        isOneLine={true}
        value={(settings.disable ?? []).join(", ")}
        placeholder="names of tools, such as refund"
        onChange={(value) => {
          const { disable: _before, ...rest } = settings;
          const names = value
            .split(/,\s*/)
            .filter((name, at, all) => name !== "" || at < all.length - 1 || all.length > 1);
          onChange(value === "" ? rest : { ...rest, disable: names });
        }}
      />
    </div>
  );
}

interface DecisionChoiceProps {
  readonly label: string;
  readonly value: Decided | undefined;
  onChange(decision: Decided | undefined): void;
}

function DecisionChoice({ label, value, onChange }: DecisionChoiceProps) {
  const id = useId();
  return (
    <>
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        value={value ?? ""}
        onChange={(event) => onChange(decisions.find((each) => each === event.target.value))}
      >
        <option value="">as the mode decides</option>
        {decisions.map((decision) => (
          <option key={decision}>{decision}</option>
        ))}
      </select>
    </>
  );
}
