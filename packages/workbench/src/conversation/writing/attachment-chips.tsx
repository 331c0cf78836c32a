import type { Attached } from "./attachments.ts";

interface AttachmentChipsProps {
  readonly attachments: readonly Attached[];
  onRemove(index: number): void;
}

/** The attachments of the message in the composer. */
export function AttachmentChips({ attachments, onRemove }: AttachmentChipsProps) {
  if (attachments.length === 0) return null;
  return (
    <ul className="attachments">
      {attachments.map((attachment, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two attachments may be the same
        <li key={index}>
          <span className="cut">{attachment.name}</span>
          <button
            type="button"
            className="quiet"
            aria-label={`Remove ${attachment.name}`}
            onClick={() => onRemove(index)}
          >
            ✗
          </button>
        </li>
      ))}
    </ul>
  );
}
