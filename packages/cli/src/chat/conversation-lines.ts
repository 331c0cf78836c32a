import { type ChatItem, type ChatView, listItems } from "@bridle/app/chat";
import { itemLines } from "./item-lines.ts";
import type { Style } from "./style.ts";

/** The kinds of items that have no empty line between them. */
const close: readonly (readonly [above: string, below: RegExp])[] = [
  ["tool", /^(tool|reasoning)$/],
  ["reasoning", /^tool$/],
  ["command", /^(plain|dim|warning|error)$/],
  ["dim", /^(dim|warning|error)$/],
  ["warning", /^(dim|warning|error)$/],
  ["error", /^(dim|warning|error)$/],
];

function nameOf(item: ChatItem): string {
  return item.kind === "note" ? item.tone : item.kind;
}

/** Formats the lines of a conversation. Unchanged items are not formatted again. */
export function createConversationLines(style: Style): (view: ChatView, width: number) => string[] {
  const laidOut = new WeakMap<ChatItem, { width: number; isLive: boolean; lines: string[] }>();

  function linesOf(item: ChatItem, width: number, isLive: boolean): string[] {
    const found = laidOut.get(item);
    if (found?.width === width && found.isLive === isLive) return found.lines;
    const lines = itemLines(item, { width, style, isLive });
    laidOut.set(item, { width, isLive, lines });
    return lines;
  }

  return (view, width) => {
    const lines: string[] = [];
    let above: string | undefined;
    for (const [index, item] of listItems(view).entries()) {
      const own = linesOf(item, width, view.run !== undefined && index >= view.past.length);
      if (own.length === 0) continue;
      const name = nameOf(item);
      const isClose = close.some(([first, below]) => first === above && below.test(name));
      if (above !== undefined && !isClose) lines.push("");
      for (const line of own) lines.push(line);
      above = name;
    }
    return lines;
  };
}
