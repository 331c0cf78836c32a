import { type KeyboardEvent, type ReactNode, useId, useRef } from "react";
import { type InspectorPart, inspectorParts } from "./opened.ts";

interface InspectorTabsProps {
  readonly part: InspectorPart;
  readonly children: ReactNode;
  onShow(part: InspectorPart): void;
}

const titles: Readonly<Record<InspectorPart, string>> = { content: "Content", events: "Events", context: "Context" };

/** The tabs of the inspector. Arrow keys move between them, as usual for tabs. */
export function InspectorTabs({ part, children, onShow }: InspectorTabsProps) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (by === undefined) return;
    const next = inspectorParts.at((inspectorParts.indexOf(part) + by) % inspectorParts.length) ?? part;
    event.preventDefault();
    onShow(next);
    list.current?.querySelector<HTMLElement>(`[data-part="${next}"]`)?.focus();
  };
  return (
    <>
      <div ref={list} role="tablist" aria-label="Parts" className="tabs" onKeyDown={onKeyDown}>
        {inspectorParts.map((each) => (
          <button
            key={each}
            type="button"
            role="tab"
            data-part={each}
            id={`${id}${each}`}
            aria-controls={`${id}panel`}
            aria-selected={each === part}
            tabIndex={each === part ? 0 : -1}
            onClick={() => onShow(each)}
          >
            {titles[each]}
          </button>
        ))}
      </div>
      <div
        role="tabpanel"
        id={`${id}panel`}
        aria-labelledby={`${id}${part}`}
        className="inspector-panel"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it
        tabIndex={0}
      >
        {children}
      </div>
    </>
  );
}
