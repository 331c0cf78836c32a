import { Copyable } from "../parts/copyable.tsx";

export interface Fact {
  readonly name: string;
  readonly value: string;
}

/** Facts by name. Each value can be copied. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="facts">
      {facts.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <Copyable text={value} label={name.toLowerCase()}>
              {value}
            </Copyable>
          </dd>
        </div>
      ))}
    </dl>
  );
}
