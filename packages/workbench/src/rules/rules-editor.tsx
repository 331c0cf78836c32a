import { type ApiRules, BridleRequestError } from "@bridle/client";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useServer } from "../connection/server.tsx";
import { Problem } from "../parts/states.tsx";
import {
  describeTurn,
  type EditedLine,
  type ProjectRules,
  problemOf,
  toEditedLine,
  toSavedRules,
  withLines,
} from "./edited-rules.ts";
import { RuleLines } from "./rule-lines.tsx";
import { RulesConflict } from "./rules-conflict.tsx";
import { RulesPreview } from "./rules-preview.tsx";
import { RulesSettings } from "./rules-settings.tsx";

interface RulesEditorProps {
  readonly current: ApiRules & { readonly version: string };
  onClose(): void;
  onSaved(): void;
}

/**
 * Edits the rules. The user first reviews a preview of a change: the difference in the file, and the recorded calls that it would have
 * decided differently.
 */
export function RulesEditor({ current, onClose, onSaved }: RulesEditorProps) {
  const { client } = useServer();
  const [settings, setSettings] = useState<ProjectRules>(current.rules ?? {});
  const [lines, setLines] = useState<readonly EditedLine[]>(() =>
    (current.rules?.rules ?? []).map((rule, key) => toEditedLine(key, rule)),
  );
  const [version, setVersion] = useState(current.version);
  const rules = toSavedRules(withLines(settings, lines), current.rules);
  const preview = useMutation({ mutationFn: () => client.previewRules(rules, 500) });
  const save = useMutation({ mutationFn: () => client.changeRules(rules, version), onSuccess: onSaved });
  const isWrong = lines.some((line) => problemOf(line) !== undefined);
  const change =
    <Value,>(set: (value: Value) => void) =>
    (value: Value) => {
      set(value);
      preview.reset(); // the preview belongs to the previous rules
      save.reset();
    };
  const keepMine = (theirs: string) => {
    setVersion(theirs);
    save.reset(); // the user reviews the difference to the other version, and saves again
    preview.mutate();
  };
  const isConflict = save.error instanceof BridleRequestError && save.error.status === 412;
  return (
    <form
      className="rules-editor"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isWrong && !preview.isPending) preview.mutate(); // Enter in a field also requests a preview
      }}
    >
      <RulesSettings settings={settings} isNone={rules === null} onChange={change(setSettings)} />
      <RuleLines lines={lines} onChange={change(setLines)} />
      <div className="actions">
        <button type="submit" className={preview.data ? "" : "primary"} disabled={isWrong || preview.isPending}>
          {preview.isPending ? "Trying the rules …" : "Show the effects"}
        </button>
        {preview.data && (
          <button type="button" className="primary" disabled={isWrong || save.isPending} onClick={() => save.mutate()}>
            Save in {current.file ?? "bridle.yaml"}
          </button>
        )}
        <button type="button" className="quiet" onClick={onClose}>
          Cancel
        </button>
      </div>
      {preview.error && <Problem error={preview.error} />}
      {save.error && !isConflict && <Problem error={save.error} />}
      {isConflict && <RulesConflict mine={rules} onKeepMine={keepMine} onTakeTheirs={onSaved} />}
      {preview.data && <RulesPreview preview={preview.data} turn={describeTurn(current.rules, rules)} />}
    </form>
  );
}
