import { type ReactNode, useLayoutEffect, useRef } from "react";

interface DialogProps {
  readonly label: string;
  readonly className?: string;
  readonly children: ReactNode;
  onClose(): void;
}

/** A modal dialog, which is open while it is rendered. Escape and a click outside close it. */
export function Dialog({ label, className = "", children, onClose }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const { current } = element;
    current?.showModal();
    return () => current?.close();
  }, []);
  return (
    <dialog
      ref={element}
      aria-label={label}
      className={className}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === element.current) onClose();
      }}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.preventDefault();
        event.stopPropagation();
        onClose();
      }}
    >
      <div className="dialog-content">{children}</div>
    </dialog>
  );
}
