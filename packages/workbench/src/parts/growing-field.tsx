import type { ComponentProps, KeyboardEvent } from "react";

interface GrowingFieldProps extends Omit<ComponentProps<"textarea">, "onChange" | "value"> {
  readonly value: string;
  /** Whether the text has no line breaks. Enter then submits the form, as in an `input` element. */
  readonly isOneLine?: boolean;
  onChange(text: string): void;
}

/** The number of letters that always fit on a line of a form, for browsers without `field-sizing`. */
const surelyFit = 30;

/** A field that shows a long text completely: the text wraps, and the field's height grows. */
export function GrowingField({ value, isOneLine = false, onChange, className = "", ...rest }: GrowingFieldProps) {
  const sendOnEnter = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
    event.preventDefault();
    event.currentTarget.form?.requestSubmit();
  };
  const rows = value.split("\n").reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / surelyFit)), 0);
  return (
    <textarea
      {...rest}
      className={`growing ${className}`}
      rows={rows}
      value={value}
      onKeyDown={isOneLine ? sendOnEnter : undefined}
      onChange={({ target }) => onChange(isOneLine ? target.value.replace(/\s*\n\s*/g, " ") : target.value)}
    />
  );
}
