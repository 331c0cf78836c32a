import { Fragment } from "react";

/** A name of several words, such as `annotations.readOnly`. It wraps within a word only if it cannot wrap after a separator. */
export function WrappingName({ text }: { text: string }) {
  return text.split(/(?<=[-._:/])/).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts never move
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
