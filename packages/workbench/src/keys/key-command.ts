/** A thing to do that has a name in the palette, and often a key. */
export interface KeyCommand {
  readonly id: string;
  /** As the palette lists it, such as "Go to the inbox". */
  readonly title: string;
  /** Such as `g i`, `j`, `?` or `mod+k`. `mod` is Command on a Mac, else Control. */
  readonly keys?: string;
  /** Whether it also acts while an input has the focus. Only for keys with `mod`, and Escape. */
  readonly isGlobal?: boolean;
  run(): void;
}

const sequenceMs = 1000;

/** Finds the command of keys that a person presses, in sequences such as `g i`. */
export class KeySequence {
  #pressed: { readonly keys: string; readonly at: number } | undefined;

  /** The command to run, if this key completes the keys of one. */
  press(key: string, at: number, commands: readonly KeyCommand[]): KeyCommand | undefined {
    const before = this.#pressed !== undefined && at - this.#pressed.at <= sequenceMs ? `${this.#pressed.keys} ` : "";
    for (const keys of [before + key, key]) {
      const found = commands.findLast((command) => command.keys === keys);
      if (found) {
        this.#pressed = undefined;
        return found;
      }
    }
    const isStart = commands.some((command) => command.keys?.startsWith(`${key} `));
    this.#pressed = isStart ? { keys: key, at } : undefined;
    return undefined;
  }
}

/** How an event of the keyboard is written in `keys`, or undefined for keys that only change others. */
export function describeKey(event: Pick<KeyboardEvent, "key" | "metaKey" | "ctrlKey" | "altKey">): string | undefined {
  const { key, metaKey, ctrlKey, altKey } = event;
  if (["Shift", "Control", "Meta", "Alt", "Dead", "Process"].includes(key)) return undefined;
  const name = key === " " ? "Space" : key;
  if (altKey) return `alt+${name.toLowerCase()}`;
  return metaKey || ctrlKey ? `mod+${name.toLowerCase()}` : name;
}

/** Whether keys that a person presses belong to what has the focus, such as a text that they write. */
export function takesKeys(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement)
    return true;
  return target instanceof HTMLInputElement && !["checkbox", "radio", "button", "range"].includes(target.type);
}
