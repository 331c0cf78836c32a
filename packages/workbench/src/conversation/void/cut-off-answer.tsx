import { useQuery } from "@tanstack/react-query";
import { useServer } from "../../connection/server.tsx";
import { Markdown } from "../../text/markdown.tsx";
import { describeCut } from "../run-state.ts";

interface CutOffAnswerProps {
  readonly run: string;
  readonly text: string;
  readonly isOpen: boolean;
  onOpen(isOpen: boolean): void;
}

/** An answer that will not be completed. */
export function CutOffAnswer({ run, text, isOpen, onOpen }: CutOffAnswerProps) {
  const { client } = useServer();
  const { data } = useQuery({ queryKey: ["run", run], queryFn: () => client.run(run) });
  return (
    <details className="void" open={isOpen} onToggle={(event) => onOpen(event.currentTarget.open)}>
      <summary>This answer was cut off{data && `: ${describeCut(data)}`}</summary>
      {isOpen && (
        <del>
          <Markdown text={text} />
        </del>
      )}
    </details>
  );
}
