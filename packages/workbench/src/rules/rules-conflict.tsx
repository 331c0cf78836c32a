import { showHiddenInDocument } from "@bridle/protocol/text";
import { useQuery } from "@tanstack/react-query";
import { useServer } from "../connection/server.tsx";
import { Copyable } from "../parts/copyable.tsx";
import { Loading, Problem } from "../parts/states.tsx";
import { useInSight } from "../parts/use-in-sight.ts";
import type { ProjectRules } from "./edited-rules.ts";

interface RulesConflictProps {
  readonly mine: ProjectRules | null;
  onKeepMine(version: string): void;
  onTakeTheirs(): void;
}

/** The view if somebody else changed the rules after they were loaded. Nothing was saved, and both versions are shown. */
export function RulesConflict({ mine, onKeepMine, onTakeTheirs }: RulesConflictProps) {
  const { client } = useServer();
  const { data, error } = useQuery({
    queryKey: ["rules", "theirs"],
    queryFn: () => client.rules(),
    staleTime: 0,
    gcTime: 0,
  });
  const place = useInSight<HTMLElement>(data !== undefined);
  if (error) return <Problem error={error} />;
  if (data === undefined) return <Loading what="the other version" />;
  return (
    <section className="problem" role="alert" ref={place}>
      <p>The rules were changed by somebody else since you opened them. Nothing was saved.</p>
      <div className="versions">
        <Version title="In the file now" rules={data.rules} />
        <Version title="Yours" rules={mine} />
      </div>
      <div className="actions">
        <button type="button" onClick={onTakeTheirs}>
          Take theirs
        </button>
        <button type="button" className="danger" onClick={() => onKeepMine(data.version)}>
          Keep mine, and save again
        </button>
      </div>
    </section>
  );
}

function Version({ title, rules }: { title: string; rules: ProjectRules | null }) {
  const text = rules === null ? "no rules" : JSON.stringify(rules, null, 2);
  return (
    <div className="version">
      <h3>{title}</h3>
      <Copyable text={text} label={`version: ${title}`}>
        Copy
      </Copyable>
      <pre>{showHiddenInDocument(text)}</pre>
    </div>
  );
}
