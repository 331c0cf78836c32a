import { useState } from "react";
import { Dialog } from "../parts/dialog.tsx";
import { useInSight } from "../parts/use-in-sight.ts";
import type { KeyCommand } from "./key-command.ts";
import { KeyNames } from "./key-names.tsx";
import { useAllCommands, useCommands } from "./keyboard.tsx";
import { rankCommands } from "./rank-commands.ts";

/** The command palette: all available commands by name. */
export function Palette() {
  const [isOpen, setOpen] = useState(false);
  useCommands([
    { id: "palette", title: "Find a command", keys: "mod+k", isGlobal: true, run: () => setOpen(true) },
    { id: "palette-keys", title: "Show all keys", keys: "?", run: () => setOpen(true) },
  ]);
  if (!isOpen) return null;
  return (
    <Dialog label="Commands" className="palette" onClose={() => setOpen(false)}>
      <PaletteList close={() => setOpen(false)} />
    </Dialog>
  );
}

function PaletteList({ close }: { close(): void }) {
  const all = useAllCommands();
  const [query, setQuery] = useState("");
  const [chosen, setChosen] = useState(0);
  const found = rankCommands(all, query);
  const at = Math.min(chosen, found.length - 1);
  const run = (command: KeyCommand | undefined) => {
    if (command === undefined) return;
    close();
    setTimeout(() => command.run()); // after the dialog has closed and the page can take the focus
  };
  const move = (by: number) => setChosen((at + by + found.length) % Math.max(1, found.length));
  return (
    <>
      <input
        type="text"
        role="combobox"
        aria-label="Command"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={found[at] && `palette-${found[at].id}`}
        placeholder="What do you want to do?"
        autoComplete="off"
        value={query}
        onChange={(event) => {
          setQuery(event.target.value);
          setChosen(0);
        }}
        onKeyDown={(event) => {
          if (event.key === "ArrowDown") move(1);
          else if (event.key === "ArrowUp") move(-1);
          else if (event.key === "Enter") run(found[at]);
          else return;
          event.preventDefault();
        }}
      />
      <div id="palette-list" role="listbox" aria-label="Commands" className="palette-list">
        {found.map((command, index) => (
          <PaletteOption key={command.id} command={command} isChosen={index === at} onClick={() => run(command)} />
        ))}
        {found.length === 0 && <p className="muted">No command has these words.</p>}
      </div>
    </>
  );
}

interface PaletteOptionProps {
  readonly command: KeyCommand;
  readonly isChosen: boolean;
  onClick(): void;
}

function PaletteOption({ command: { id, title, keys }, isChosen, onClick }: PaletteOptionProps) {
  const row = useInSight<HTMLDivElement>(isChosen);
  return (
    <div
      id={`palette-${id}`}
      role="option"
      tabIndex={-1}
      aria-selected={isChosen}
      ref={row}
      onClick={onClick}
      onKeyDown={() => {}}
    >
      <span>{title}</span>
      {keys !== undefined && <KeyNames keys={keys} />}
    </div>
  );
}
