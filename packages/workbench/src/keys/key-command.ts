/** An action that the palette lists by its name, and that often has a keyboard shortcut. */
export interface KeyCommand {
  readonly id: string;
  /** The name in the palette, such as "Go to the inbox". */
  readonly title: string;
  /** The shortcut, such as `g i`, `j`, `?` or `mod+k`. `mod` is Command on a Mac, and Control elsewhere. */
  readonly keys?: string;
  /** Whether the shortcut also works while an input has the focus. Only for shortcuts with `mod`, and for Escape. */
  readonly isGlobal?: boolean;
  run(): void;
}

/** How long after the first key of a sequence its second key is accepted, in milliseconds. */
export const sequenceMs = 1000;

/**
 * Finds the command for pressed keys, including sequences such as `g i`. The second key of a sequence never acts on its own, even
 * if it comes too late: a user who pressed `g s` to open the status must not accidentally answer a question for the whole session.
 */
export class KeySequence {
  #begun: { readonly key: string; readonly at: number } | undefined;

  /** The first key of the current sequence. */
  get begun(): string | undefined {
    return this.#begun?.key;
  }

  /** Resets the current sequence, because the user did something else. */
  reset(): void {
    this.#begun = undefined;
  }

  /** Returns the command to run, if this key completes the command's keys. */
  press(key: string, at: number, commands: readonly KeyCommand[]): KeyCommand | undefined {
    const begun = this.#begun;
    this.#begun = undefined;
    const find = (keys: string) => commands.findLast((command) => command.keys === keys);
    const alone = find(key);
    if (begun !== undefined && alone?.isGlobal !== true) {
      return at - begun.at <= sequenceMs ? find(`${begun.key} ${key}`) : undefined;
    }
    if (alone === undefined && commands.some(({ keys }) => keys?.startsWith(`${key} `))) this.#begun = { key, at };
    return alone;
  }
}

/** Returns the notation of a keyboard event in `keys`. Undefined for modifier keys. */
export function describeKey(event: Pick<KeyboardEvent, "key" | "metaKey" | "ctrlKey" | "altKey">): string | undefined {
  const { key, metaKey, ctrlKey, altKey } = event;
  if (["Shift", "Control", "Meta", "Alt", "Dead", "Process"].includes(key)) return undefined;
  const name = key === " " ? "Space" : key;
  if (altKey) return `alt+${name.toLowerCase()}`;
  return metaKey || ctrlKey ? `mod+${name.toLowerCase()}` : name;
}

/** Whether key presses belong to the focused element, such as a text field. */
export function takesKeys(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement)
    return true;
  return target instanceof HTMLInputElement && !["checkbox", "radio", "button", "range"].includes(target.type);
}
