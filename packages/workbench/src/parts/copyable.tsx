import { type ReactNode, useState } from "react";

/** Content that a click copies to the clipboard. */
export function Copyable({ text, label, children }: { text: string; label: string; children?: ReactNode }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  };
  return (
    <button type="button" className="copyable" title={`Copy the ${label}`} onClick={() => void copy()}>
      {children ?? <span className="id">{text}</span>}
      <span className="copied" role="status">
        {isCopied ? "copied" : ""}
      </span>
    </button>
  );
}
