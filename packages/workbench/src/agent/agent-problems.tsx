import type { ApiAgentProblems } from "@bridle/client";
import { shellWord, showHidden, showHiddenInDocument } from "@bridle/protocol/text";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { paths } from "../addresses/paths.ts";
import { useServer } from "../connection/server.tsx";
import { Copyable } from "../parts/copyable.tsx";
import { Loading, NotFound, Problem } from "../parts/states.tsx";

interface AgentProblemsProps {
  readonly agent: string;
  /** The error that prevents showing the agent, if its file is not the cause. */
  readonly error?: unknown;
  retry(): void;
}

/** The problems in an agent file, each with its line number and the lines around it. */
export function AgentProblems({ agent, error, retry }: AgentProblemsProps) {
  const { client } = useServer();
  const checked = useQuery({
    queryKey: ["agent", agent, "check"],
    queryFn: () => client.checkAgent(agent),
    retry: false,
  });
  const { data } = checked;
  const again = () => {
    void checked.refetch();
    retry();
  };
  if (data === undefined) {
    if (checked.error) {
      return (
        <NotFound
          error={error ?? checked.error}
          retry={again}
          title={`This server has no agent ${showHidden(agent)}.`}
          commands={["npx bridle init desk"]}
        >
          <p>
            <Link to={paths.home}>See the agents that it has</Link>, or make one with the command.
          </p>
        </NotFound>
      );
    }
    return <Loading what="the file" height="16rem" />;
  }
  if (data.problems.length === 0) return error === undefined ? null : <Problem error={error} retry={again} />;
  const command = `npx bridle agent validate ${shellWord(data.file)}`;
  return (
    <section className={error === undefined ? "agent-problems" : "page agent-problems"} aria-label="Problems">
      {error !== undefined && <h1>{showHidden(agent)}</h1>}
      <p className="note" role="alert">
        {error === undefined
          ? `${showHidden(data.file)} has problems. What a script does not replace fails in a run.`
          : `${showHidden(data.file)} is not valid, so nobody can talk with this agent. Correct it, and check again.`}
      </p>
      <ProblemList problems={data.problems} />
      <FileLines lines={data.lines} />
      <div className="actions">
        <button type="button" onClick={again} disabled={checked.isFetching}>
          {checked.isFetching ? "Checking …" : "Check again"}
        </button>
        <Copyable text={command} label="command">
          <code>{showHidden(command, "")}</code>
        </Copyable>
      </div>
    </section>
  );
}

function ProblemList({ problems }: Pick<ApiAgentProblems, "problems">) {
  return (
    <ul className="agent-problem-list">
      {problems.map(({ file, line, column, field, message, nearest }) => (
        <li key={`${file} ${line} ${column} ${field} ${message}`}>
          <span className="id">{showHidden([file, line, column].filter((part) => part !== null).join(":"))}</span>{" "}
          {showHidden(message)}
          {nearest !== null && !message.includes(nearest) && ` Did you mean ${showHidden(nearest)}?`}
        </li>
      ))}
    </ul>
  );
}

function FileLines({ lines }: Pick<ApiAgentProblems, "lines">) {
  if (lines.length === 0) return null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it
    <pre className="file-lines" tabIndex={0}>
      {lines.map(({ line, text, isWrong }, index) => (
        <span key={line} className={isWrong ? "file-line wrong" : "file-line"}>
          {index > 0 && lines[index - 1]?.line !== line - 1 && <span className="muted">{"⋯\n"}</span>}
          <span className="muted">
            {isWrong ? "✗" : " "} {String(line).padStart(4)}
          </span>{" "}
          {`${showHiddenInDocument(text)}\n`}
        </span>
      ))}
    </pre>
  );
}
